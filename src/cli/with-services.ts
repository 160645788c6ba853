import { readConfig } from '../config/read-config.js';
import { type Surroundings } from './command.js';
import { type Services } from './services.js';

/**
 * Does some work with the services and closes what they have opened.
 *
 * @throws ConfigError for wrong settings, Impossible for a database that cannot be opened, and what
 * `work` throws.
 */
export async function withServices<T>(
  { env, stderr }: Pick<Surroundings, 'env' | 'stderr'>,
  work: (services: Services) => Promise<T>,
): Promise<T> {
  const config = readConfig(env);
  // The table of commands is read by who wants help, too, and shall not load all of this.
  const { openServices } = await import('./services.js');
  const { services, close } = await openServices(config, stderr);
  try {
    return await work(services);
  } finally {
    await close();
  }
}
