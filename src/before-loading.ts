import cluster from 'node:cluster';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { type Config } from './config/config.js';
import { fileFailure } from './database/file-failure.js';
import { makeDirectory } from './files/directories.js';
import { assertFree } from './http/assert-free.js';
import { listenFailure } from './listen-failure.js';

/**
 * What can be seen to end a start before the application is loaded, which takes seconds, and before keys
 * are made: they are shown only once, by a gateway that listens.
 *
 * @throws ConfigError when `DATA_DIR`, `HOST` or `PORT` cannot be used.
 */
export async function beforeLoading(config: Config): Promise<void> {
  await prepare(config.dataDir);
  // The first of several processes listens for all of them, and may do so already.
  if (cluster.isWorker) return;
  try {
    await assertFree(config.port, config.host);
  } catch (error) {
    throw listenFailure(error, config);
  }
}

/**
 * What is kept beside the tables, settlements that wait for them above all, should not be the first to find
 * that it cannot be.
 */
async function prepare(dataDir: string): Promise<void> {
  try {
    await makeDirectory(dataDir);
    await access(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw fileFailure(error, dataDir);
  }
}
