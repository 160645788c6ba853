import { type LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type Config } from '../config/config.js';
import { type Environment } from '../config/environment.js';
import { ConfigError } from '../config/read-config.js';
import { CatalogueService } from '../models/catalogue.service.js';
import { type ProviderConnection } from '../providers/provider.js';
import { UpstreamClient } from '../upstream/upstream-client.js';
import { checkProvider } from './check-provider.js';
import { concealing } from './concealed.js';
import { DoctorModule } from './doctor.module.js';
import { failed, type Finding, finding, ok, warning } from './finding.js';

/** Checks the models and every provider that is switched on, by each of its keys and addresses, all at once. */
export async function checkProviders(
  config: Config,
  env: Environment,
  source: 'database' | 'settings',
): Promise<readonly Finding[]> {
  const said: string[] = [];
  const context = await NestFactory.createApplicationContext(DoctorModule.with(config, source), {
    logger: remembering(said),
    abortOnError: false,
  }).catch((error: unknown) => {
    if (error instanceof ConfigError) return error;
    throw error;
  });
  const conceal = concealing(env);
  if (context instanceof ConfigError) {
    return Promise.all(
      context.problems.map((problem) => finding('models', () => failed(problem), conceal)),
    );
  }
  try {
    const { snapshot } = context.get(CatalogueService, { strict: false });
    const upstream = context.get(UpstreamClient, { strict: false });
    const connections = snapshot.providers.flatMap(({ name }) => snapshot.connection(name) ?? []);
    const models = await finding(
      'models',
      () => {
        const count = `${snapshot.models.length} models of ${connections.length} providers`;
        const seen = source === 'database' ? count : `${count}, by the settings alone`;
        return said.length > 0 ? warning([seen, ...said].join('; ')) : ok(seen);
      },
      conceal,
    );
    const providers = connections.flatMap(eachWay).map(([name, connection]) => {
      const own = snapshot.models.filter(({ provider }) => provider === connection.provider.name);
      const stored = connection.apiKey === undefined ? [] : [connection.apiKey];
      return finding(
        `provider ${name}`,
        () => checkProvider(upstream, { connection, models: own, config }),
        concealing(env, stored),
      );
    });
    return [models, ...(await Promise.all(providers))];
  } finally {
    await context.close();
  }
}

/** The ways in which a provider is reached, by its name or, of several, as the metrics number them. */
function eachWay({
  provider,
  place,
  baseUrl,
  apiKey,
  deployments,
}: ProviderConnection): readonly (readonly [string, ProviderConnection])[] {
  if (!deployments) return [[provider.name, { provider, place, baseUrl, apiKey }]];
  return deployments.map((one, index) => [
    `${provider.name}/${index + 1}`,
    { provider, place, baseUrl: one.baseUrl, apiKey: one.apiKey },
  ]);
}

/** Keeps what the services want the operator to know. */
function remembering(said: string[]): LoggerService {
  const keep = (message: unknown): void => {
    said.push(String(message));
  };
  const ignore = (): void => undefined;
  return { log: ignore, error: keep, warn: keep, debug: ignore, verbose: ignore };
}
