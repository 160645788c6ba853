import SqliteFile from 'better-sqlite3';
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteStatement,
} from 'kysely';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from '../files/directories.js';
import { bindingAlike, READING_ALIKE } from './column-values.js';
import { type Engine } from './engine.js';
import { FileInPlace } from './file-in-place.js';
import { reportsOnSqlite } from './sqlite-reports.js';
import { type Tables } from './tables.js';
import { ReportQueue } from './report-queue.js';
import { WriteAheadLog } from './write-ahead-log.js';

/**
 * Opens `causeway.db` in a directory; both are made when missing, readable only for their owner.
 *
 * @throws when another process holds the file (`failureOf` says `retry`), or it cannot be opened.
 */
export async function openSqlite(directory: string): Promise<Engine> {
  await makeDirectory(directory);
  const path = join(directory, 'causeway.db');
  if (!existsSync(path)) writeFileSync(path, '', { flag: 'a', mode: 0o600 });
  const file = openFile(path);
  const place = new FileInPlace(path);
  const log = isLogged(file) ? new WriteAheadLog(path) : undefined;
  const dialect = bindingAlike(new SqliteDialect({ database: remembering(file) }));
  const createDriver = () =>
    Object.assign(dialect.createDriver(), {
      // Begun as deferred, one that reads and then writes fails when another process wrote between.
      beginTransaction: async (connection: DatabaseConnection) => {
        place.confirm();
        await execute(connection, 'begin immediate');
      },
      // A full disk has rolled back already; failing here would hide that from the caller.
      rollbackTransaction: async (connection: DatabaseConnection) => {
        if (file.inTransaction) await execute(connection, 'rollback');
      },
      destroy: async () => {
        await log?.close();
        file.close();
      },
    });
  const kysely = new Kysely<Tables>({
    dialect: { ...dialect, createDriver },
    plugins: [READING_ALIKE],
  });
  return {
    name: 'sqlite',
    kysely,
    patient: new Kysely<Tables>({
      dialect: bindingAlike(reportsOnSqlite(path)),
      plugins: [READING_ALIKE],
    }),
    // The thread does one after the other.
    reports: new ReportQueue(1),
    unhurried: kysely,
    // Not in the commit: the next transaction need not wait for the disk.
    durable: () => log?.sync() ?? Promise.resolve(),
    connections: () => undefined,
  };
}

/**
 * The file, with the statements kept that were used last: SQLite takes longer to read a statement
 * than to run it. It reads one that is kept anew by itself when the tables have changed.
 */
function remembering(file: SqliteFile.Database): SqliteDatabase {
  const kept = new Map<string, SqliteStatement>();
  return {
    prepare: (text) => {
      const statement = kept.get(text) ?? file.prepare<[readonly unknown[]]>(text);
      // What was used last stands at the end.
      kept.delete(text);
      kept.set(text, statement);
      if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value ?? text);
      return statement;
    },
    close: () => {
      file.close();
    },
  };
}

const MOST_KEPT = 256;
/** Of 4 kB. */
const PAGES_OF_LOG = 4_000;
const CACHE_KILOBYTES = 16_000;

function openFile(path: string): SqliteFile.Database {
  // The driver would wait for a lock inside the event loop; transactions are retried by timer.
  const file = new SqliteFile(path, { timeout: 0 });
  try {
    file.pragma('journal_mode = WAL');
    // A commit is on the disk when its transaction is done, also after a loss of power; the log gets
    // there after the commit, and where the file system has none, in the commit.
    file.pragma(`synchronous = ${isLogged(file) ? 'NORMAL' : 'FULL'}`);
    file.pragma('foreign_keys = ON');
    // What is written again and again goes to its place less often, and is there to be read.
    file.pragma(`wal_autocheckpoint = ${PAGES_OF_LOG}`);
    file.pragma(`cache_size = -${CACHE_KILOBYTES}`);
    return file.defaultSafeIntegers(true);
  } catch (error) {
    file.close();
    throw error;
  }
}

/** Not every file system that is shared over a network can do it; SQLite says nothing of it then. */
function isLogged(file: SqliteFile.Database): boolean {
  return file.pragma('journal_mode', { simple: true }) === 'wal';
}

async function execute(connection: DatabaseConnection, statement: string): Promise<void> {
  await connection.executeQuery(CompiledQuery.raw(statement));
}
