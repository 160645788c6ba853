import { type Config } from '../config/config.js';
import { ConfigError, readConfig } from '../config/read-config.js';
import { loadPrior } from '../routing/prior.service.js';
import { checkDatabase } from './check-database.js';
import { checkDirectory } from './check-directory.js';
import { checkObjectStore } from './check-object-store.js';
import { checkProviders } from './check-providers.js';
import { checkRedis } from './check-redis.js';
import { type Surroundings } from './command.js';
import { concealing } from './concealed.js';
import { failed, type Finding, finding, ok } from './finding.js';

/** What everything that the gateway needs comes to, in a fixed order. */
export async function examine(env: Surroundings['env']): Promise<readonly Finding[]> {
  const conceal = concealing(env);
  const config = configOf(env);
  if (config instanceof ConfigError) {
    const problems = config.problems.map((problem) =>
      finding('configuration', () => failed(problem), conceal),
    );
    return Promise.all(problems);
  }
  const [configuration, directory, database] = [
    await finding('configuration', () => ok('every setting can be read'), conceal),
    await finding('data directory', () => checkDirectory(config.dataDir), conceal),
    await finding('database', () => checkDatabase(config), conceal),
  ];
  const source = database.status === 'ok' ? 'database' : 'settings';
  const [redis, objectStore, providers] = await Promise.all([
    finding('redis', () => checkRedis(config.redisUrl), conceal),
    finding('s3', () => checkObjectStore(config.objectStore), conceal),
    checkProviders(config, env, source),
  ]);
  return [configuration, directory, database, redis, objectStore, ...providers];
}

function configOf(env: Surroundings['env']): Config | ConfigError {
  try {
    const config = readConfig(env);
    // Read at the start alone, like the settings; no other check comes across it.
    loadPrior(config.routerPriorFile);
    return config;
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}
