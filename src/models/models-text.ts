import { readFileSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { ConfigError } from '../config/read-config.js';
import { MODELS_FILE } from './models-file.js';

/** Some 5,000 models; what is larger is not a list of models, and would hold up the process. */
const MOST_BYTES = 1024 * 1024;

/**
 * The text of the operator's models file.
 *
 * @throws ConfigError if it cannot be read.
 */
export function readModelsText(path: string): string {
  try {
    const found = statSync(path);
    if (!found.isFile()) throw new Error('it is not a file');
    if (found.size > MOST_BYTES) throw new Error(`it is larger than ${MOST_BYTES} bytes`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError([`${MODELS_FILE} cannot be read: ${reason}`]);
  }
}

/** A file that is being rewritten in place is empty for a moment. @throws ConfigError */
export function refuseEmpty(text: string): void {
  if (text.trim() === '') throw new ConfigError([`${MODELS_FILE} is empty`]);
}

/** Differs after every change of the file at a path, also when another one is renamed over it. */
export async function versionOf(path: string): Promise<string> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found ? [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join() : 'none';
}
