import { readFileSync, statSync } from 'node:fs';
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
    const stat = statSync(path);
    if (!stat.isFile()) throw new Error('it is not a file');
    if (stat.size > MOST_BYTES) throw new Error(`it is larger than ${MOST_BYTES} bytes`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError([`${MODELS_FILE} cannot be read: ${reason}`]);
  }
}
