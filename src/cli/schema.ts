import { type Kysely, sql } from 'kysely';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config } from '../config/config.js';
import { closeEngine, type Engine } from '../database/engine.js';
import { sqlCode } from '../database/failure.js';
import { migrated } from '../database/open-database.js';
import { openPostgres } from '../database/postgres.js';
import { openSqlite } from '../database/sqlite.js';
import { type Tables } from '../database/tables.js';
import { untilUnlocked } from '../database/transact.js';
import { Impossible } from './command.js';
import { plainReason } from './plain-reason.js';

type Where = Pick<Config, 'databaseUrl' | 'dataDir'>;

/** Whether opening the database would make it. */
export function isNewFile({ databaseUrl, dataDir }: Where): boolean {
  return databaseUrl === undefined && !existsSync(join(dataDir, 'causeway.db'));
}

/** The database as it is; nothing is migrated. */
export async function openAsItIs({ databaseUrl, dataDir }: Where): Promise<Engine> {
  if (databaseUrl === undefined) return untilUnlocked(() => openSqlite(dataDir));
  return openPostgres(databaseUrl, () => undefined);
}

/**
 * Migrates the database and gives the numbers of the migrations that this took; another process may
 * have been faster.
 *
 * @throws Impossible when it cannot be opened.
 */
export async function bringUpToDate(config: Where): Promise<readonly number[]> {
  try {
    const engine = await openAsItIs(config);
    return await migrated(engine).finally(() => closeEngine(engine));
  } catch (error) {
    const setting = config.databaseUrl === undefined ? 'DATA_DIR' : 'DATABASE_URL';
    const message = `The database of ${setting} cannot be opened: ${plainReason(error)}.`;
    throw new Impossible(message, { cause: error });
  }
}

/** The numbers of the migrations that a database has, in their order. */
export async function migrationsIn(kysely: Kysely<Tables>): Promise<readonly number[]> {
  try {
    const { rows } = await sql<{
      number: number;
    }>`select number from migrations order by number`.execute(kysely);
    return rows.map(({ number }) => number);
  } catch (error) {
    if (isMissingTable(error)) return [];
    throw error;
  }
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html: undefined_table */
function isMissingTable(error: unknown): boolean {
  return sqlCode(error) === '42P01' || /no such table/.test(String(error));
}
