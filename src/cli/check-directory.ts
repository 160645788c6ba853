import { constants } from 'node:fs';
import { access, mkdtemp, rmdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { failed, ok, type CheckResult } from './finding.js';
import { plainReason } from './plain-reason.js';

/** Whether the gateway can write into its data directory, or make it. */
export async function checkDirectory(dataDir: string): Promise<CheckResult> {
  const path = resolve(dataDir);
  try {
    if (await exists(path)) {
      // To write is the only proof: rights say nothing of a disk that is full or read-only.
      await rmdir(await mkdtemp(join(path, '.doctor-')));
      return ok(`${path} can be written`);
    }
    const parent = await existingAbove(path);
    await access(parent, constants.W_OK | constants.X_OK);
    return ok(`${path} does not exist yet; the first start makes it`);
  } catch (error) {
    return failed(`DATA_DIR ${path} cannot be written`, plainReason(error));
  }
}

async function existingAbove(path: string): Promise<string> {
  const above = dirname(path);
  return (await exists(above)) ? above : existingAbove(above);
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
