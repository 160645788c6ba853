import SqliteFile from 'better-sqlite3';
import { join } from 'node:path';

const COMMITS = 100;

/**
 * How long one durable commit takes on this disk, with the gateway's own settings: the part of its
 * added latency that is the price of never losing a record. @returns the times in ms.
 */
export function timeCommits(directory) {
  const file = new SqliteFile(join(directory, 'commits.db'));
  try {
    file.pragma('journal_mode = WAL');
    file.pragma('synchronous = FULL');
    file.exec('create table if not exists rows (text text)');
    const insert = file.prepare('insert into rows values (?)');
    return Array.from({ length: COMMITS }, () => {
      const startedAt = performance.now();
      insert.run('x'.repeat(500));
      return performance.now() - startedAt;
    });
  } finally {
    file.close();
  }
}
