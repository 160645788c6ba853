/**
 * A thread of its own for what reads a lot of SQLite's file. Messages are `{id, path, text,
 * parameters}`, answers `{id, rows}` or `{id, failure}`.
 */
import SqliteFile from 'better-sqlite3';
import { parentPort } from 'node:worker_threads';

interface Question {
  readonly id: number;
  readonly path: string;
  readonly text: string;
  readonly parameters: readonly unknown[];
}

let file: SqliteFile.Database | undefined;

parentPort?.on('message', ({ id, path, text, parameters }: Question) => {
  try {
    file ??= new SqliteFile(path, { readonly: true, timeout: 0 }).defaultSafeIntegers(true);
    parentPort?.postMessage({
      id,
      rows: file.prepare<[readonly unknown[]]>(text).all(parameters),
    });
  } catch (error) {
    const { message, code } = error as { message: string; code?: unknown };
    parentPort?.postMessage({ id, failure: { message, code } });
  }
});
