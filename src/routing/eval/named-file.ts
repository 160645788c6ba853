import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * The file to be written that a path stands for.
 *
 * @param from the folder in which the command was called; npm runs it in the project's.
 */
export function meant(path: string, from: string): string {
  return resolve(from, path);
}

/** The file to be read that a path stands for; what is not there may be in the project. */
export function found(path: string, from: string): string {
  const file = meant(path, from);
  return existsSync(file) ? file : path;
}
