import { existsSync } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Makes a directory that only its owner may read, and those above it, where they are missing. Their
 * names are durable where the file system can do that. Node's `recursive` tries for ever where a file
 * system says ENOENT although the directory above is there, as /proc does.
 *
 * @throws what the file system says.
 */
export async function makeDirectory(path: string): Promise<void> {
  if (await isDirectory(path)) return;
  const above = dirname(resolve(path));
  if (!existsSync(above)) await makeDirectory(above);
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    // Another request or process may have made it meanwhile.
    if (await isDirectory(path)) return;
    throw error;
  }
  // Not every file system can; nor does SQLite mind.
  await syncDirectory(above).catch(() => undefined);
}

/** Makes the names in a directory durable: without this, a power cut can undo a rename. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

async function isDirectory(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() ?? false;
}
