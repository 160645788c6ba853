import { type Kysely, SqliteAdapter } from 'kysely';

/** Whether statements go to SQLite, and not to PostgreSQL. */
export function isSqlite(database: Pick<Kysely<unknown>, 'getExecutor'>): boolean {
  return database.getExecutor().adapter instanceof SqliteAdapter;
}
