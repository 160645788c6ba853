import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Where uploads are kept on the disk. */
export interface UploadDirectories {
  /** The files of the local store. */
  readonly stored: string;
  /** Files that are being received. On the same file system, so that they can be moved from here. */
  readonly incoming: string;
  /** Copies of files of a bucket. */
  readonly copies: string;
}

/** The directories in a `DATA_DIR`; none is made yet. */
export function uploadDirectories(dataDir: string): UploadDirectories {
  const stored = join(dataDir, 'uploads');
  return { stored, incoming: join(stored, 'incoming'), copies: join(stored, 'copies') };
}

/** Makes a directory that only its owner may read, and those above it, where they are missing. */
export async function makeDirectory(path: string): Promise<void> {
  const made = await mkdir(path, { recursive: true, mode: 0o700 });
  if (made !== undefined) await syncDirectory(dirname(made));
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
