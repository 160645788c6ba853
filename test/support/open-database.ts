import { afterEach } from '@jest/globals';
import { readConfig } from '../../src/config/read-config.js';
import { Database } from '../../src/database/database.service.js';
import { type DatabaseSettings } from './databases.js';

const opened: Database[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((database) => database.onApplicationShutdown()));
});

/** A database that has not been opened yet; it is closed after the test. */
export function unopened(settings: DatabaseSettings): Database {
  const database = new Database(readConfig({ ...settings }));
  opened.push(database);
  return database;
}

/** An open database, closed after the test. */
export async function open(settings: DatabaseSettings): Promise<Database> {
  const database = unopened(settings);
  await database.onModuleInit();
  return database;
}

/** A row to be written. */
export const account = { id: 'a', name: 'a', disabled: false, created_at: 1 };

export async function countAccounts(database: Database): Promise<number> {
  const rows = await database.read((kysely) =>
    kysely.selectFrom('accounts').select('id').execute(),
  );
  return rows.length;
}
