import { join } from 'node:path';

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
