/**
 * A thread of its own for what reads a lot of SQLite's file. Messages are `{path, text,
 * parameters}`, answers `{rows}` or `{failure}`.
 */
import SqliteFile from 'better-sqlite3';
import { parentPort } from 'node:worker_threads';

interface Question {
  readonly path: string;
  readonly text: string;
  readonly parameters: readonly unknown[];
}

let file: SqliteFile.Database | undefined;

parentPort?.on('message', ({ path, text, parameters }: Question) => {
  try {
    file ??= new SqliteFile(path, { readonly: true, timeout: 0 }).defaultSafeIntegers(true);
    parentPort?.postMessage({
      rows: file.prepare<[readonly unknown[]]>(text).all(parameters),
    });
  } catch (error) {
    const { message, code } = error as { message: string; code?: unknown };
    parentPort?.postMessage({ failure: { message, code } });
  }
});
