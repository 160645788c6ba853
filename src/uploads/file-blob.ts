import { type Blob } from 'node:buffer';
import { openAsBlob } from 'node:fs';
import { storageFailure } from './storage-failure.js';

/**
 * The bytes of a file, which stay on the disk; undefined when there is none.
 *
 * @throws GatewayError 500 when it cannot be read.
 */
export async function fileBlob(path: string, mediaType: string): Promise<Blob | undefined> {
  try {
    return await openAsBlob(path, { type: mediaType });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw storageFailure(error);
  }
}
