import { type Blob } from 'node:buffer';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDirectory } from '../files/directories.js';
import { fileBlob } from './file-blob.js';
import { type FileStore } from './file-store.js';
import { storageFailure } from './storage-failure.js';

/** Keeps files in a directory, one beside the other. */
export class DiskStore implements FileStore {
  constructor(private readonly directory: string) {}

  async keep(name: string, path: string): Promise<void> {
    try {
      await rename(path, join(this.directory, name));
      await syncDirectory(this.directory);
    } catch (error) {
      throw storageFailure(error);
    }
  }

  open(name: string, mediaType: string): Promise<Blob | undefined> {
    return fileBlob(join(this.directory, name), mediaType);
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.directory, name), { force: true });
  }
}
