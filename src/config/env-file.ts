import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { type Environment } from './environment.js';

/**
 * The settings of a `.env` file; none where there is no file.
 *
 * @throws Error if it cannot be read or is not UTF-8.
 */
export function readEnvFile(path: string): Environment {
  try {
    // Which also leaves out a byte order mark: it would be part of the first name.
    return parseEnv(new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
