import { openAsBlob } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeDirectory } from '../files/directories.js';
import { storageFailure } from '../uploads/storage-failure.js';

/** A file that a caller sent, or that was fetched for one. */
export interface ReceivedFile {
  /** Its bytes, which lie on the disk unless they are few. */
  readonly file: Blob;
  /** Its first bytes, enough for any usual header. */
  readonly head: Uint8Array;
}

/** The largest image that is taken, or fetched, in bytes. */
export const MOST_IMAGE_BYTES = 50 * 1024 * 1024;

/** Files up to this size are kept in memory. */
const SMALL_BYTES = 256 * 1024;

/** The files of one request, which are there until it is answered. */
export class RequestFiles {
  private readonly paths: string[] = [];

  /** @param place gives the path of a file that does not exist yet. */
  constructor(private readonly place: () => string) {}

  /**
   * Reads a file to its end.
   *
   * @throws what `tooLarge` gives as soon as there are more than `most` bytes; GatewayError 507 when
   *   the disk is full, and what reading throws.
   */
  async receive(
    chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
    { most, tooLarge }: { most: number; tooLarge: () => Error },
  ): Promise<ReceivedFile> {
    let kept: Uint8Array[] = [];
    let head: Uint8Array | undefined;
    let size = 0;
    let path: string | undefined;
    let disk: FileHandle | undefined;
    try {
      for await (const chunk of chunks) {
        size += chunk.length;
        if (size > most) throw tooLarge();
        kept.push(chunk);
        if (size <= SMALL_BYTES) continue;
        head ??= Buffer.concat(kept).subarray(0, SMALL_BYTES);
        path ??= this.newPath();
        disk ??= await create(path);
        for (const bytes of kept) await disk.writeFile(bytes).catch(diskFailure);
        kept = [];
      }
    } finally {
      await disk?.close();
    }
    if (path === undefined) {
      const bytes = Buffer.concat(kept);
      return { file: new Blob([bytes]), head: bytes };
    }
    return { file: await openAsBlob(path), head: head ?? new Uint8Array() };
  }

  /** Deletes them all. */
  async dispose(): Promise<void> {
    await Promise.all(this.paths.splice(0).map((path) => rm(path, { force: true })));
  }

  private newPath(): string {
    const path = this.place();
    this.paths.push(path);
    return path;
  }
}

async function create(path: string): Promise<FileHandle> {
  try {
    await makeDirectory(dirname(path));
    return await open(path, 'wx', 0o600);
  } catch (error) {
    return diskFailure(error);
  }
}

function diskFailure(cause: unknown): never {
  throw storageFailure(cause);
}
