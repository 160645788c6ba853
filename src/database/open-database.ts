import { type Config } from '../config/config.js';
import { closeEngine, type Engine } from './engine.js';
import { migrate } from './migrations.js';
import { transact, untilUnlocked } from './transact.js';

/** Work for a database that was just opened, before anybody uses it. */
export type Preparation = (engine: Engine) => Promise<void>;

/**
 * Opens the configured database, migrates it, and runs the preparations in order.
 *
 * @param onLost called when a connection breaks while nobody is using it.
 */
export async function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  preparations: readonly Preparation[],
  onLost: () => void,
): Promise<Engine> {
  const engine = await untilUnlocked(() => openEngine(config, onLost), START_MS);
  try {
    const { kysely, unhurried } = engine;
    await migrated(engine);
    if (unhurried !== kysely) await unhurried.destroy();
    for (const prepare of preparations) await prepare(engine);
    return engine;
  } catch (error) {
    await closeEngine(engine);
    throw error;
  }
}

/** Migrates a database and gives the numbers of the migrations that it took. */
export function migrated({ name, unhurried, durable }: Engine): Promise<readonly number[]> {
  return transact(
    { kysely: unhurried, durable },
    (transaction) => migrate(transaction, name),
    START_MS,
  );
}

/** Another process may be migrating, or everybody may be starting at once on a slow disk. */
export const START_MS = 30_000;

/** Either driver is loaded only when it is used. */
async function openEngine(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  onLost: () => void,
): Promise<Engine> {
  if (databaseUrl === undefined) return (await import('./sqlite.js')).openSqlite(dataDir);
  return (await import('./postgres.js')).openPostgres(databaseUrl, onLost);
}
