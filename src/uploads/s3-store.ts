import { type Blob } from 'node:buffer';
import { createReadStream, createWriteStream } from 'node:fs';
import { link, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Config, type ObjectStore } from '../config/config.js';
import { makeDirectory } from '../files/directories.js';
import { uploadDirectories } from './directories.js';
import { fileBlob } from './file-blob.js';
import { type FileStore, type OpenOptions } from './file-store.js';
import { type IncomingFiles } from './incoming-files.service.js';
import { askStore, bytesOf, codeIn, cutShort, sha256Of, storeFailure } from './s3-request.js';
import { storageFailure } from './storage-failure.js';

/**
 * Keeps files in a bucket, under `uploads/`. One that is opened is copied to the disk and read from
 * there, so that its bytes are never held in memory.
 */
export class S3Store implements FileStore {
  private readonly copies: string;

  constructor(
    private readonly store: ObjectStore,
    private readonly incoming: IncomingFiles,
    { dataDir }: Pick<Config, 'dataDir'>,
  ) {
    this.copies = uploadDirectories(dataDir).copies;
  }

  async keep(name: string, path: string): Promise<void> {
    const { size } = await stat(path);
    const answer = await askStore(this.store, keyOf(name), {
      method: 'PUT',
      sha256: await sha256Of(path),
      body: createReadStream(path),
      length: size,
    });
    const { statusCode, body } = answer;
    if (statusCode !== 200) throw storeFailure(statusCode, await codeIn(answer));
    await body.dump();
  }

  async open(
    name: string,
    mediaType: string,
    options: OpenOptions = {},
  ): Promise<Blob | undefined> {
    const copy = join(this.copies, name);
    const known = await fileBlob(copy, mediaType);
    if (known) return known;
    return (await this.copy(name, copy, options)) ? fileBlob(copy, mediaType) : undefined;
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.copies, name), { force: true });
    const answer = await askStore(this.store, keyOf(name), { method: 'DELETE' });
    const { statusCode, body } = answer;
    if (statusCode === 200 || statusCode === 204) {
      await body.dump();
      return;
    }
    const code = await codeIn(answer);
    if (code !== MISSING) throw storeFailure(statusCode, code);
  }

  async tidy(): Promise<void> {
    for (const name of await readdir(this.copies).catch(() => [])) {
      const copy = join(this.copies, name);
      const file = await stat(copy).catch(() => undefined);
      if (file && Date.now() - file.mtimeMs > COPY_MS) await rm(copy, { force: true });
    }
  }

  /** Whether there was such a file. It appears whole under its place, or not at all. */
  private async copy(name: string, place: string, { size, signal }: OpenOptions): Promise<boolean> {
    const answer = await askStore(this.store, keyOf(name), { method: 'GET', signal });
    if (answer.statusCode !== 200) {
      const code = await codeIn(answer);
      if (code === MISSING) return false;
      throw storeFailure(answer.statusCode, code);
    }
    const file = await this.incoming.begin();
    try {
      await makeDirectory(this.copies);
      await pipeline(bytesOf(answer), createWriteStream(file.path, { flags: 'wx', mode: 0o600 }));
      const { size: given } = await stat(file.path);
      if (size !== undefined && given !== size) throw cutShort(given, size);
      await link(file.path, place);
      return true;
    } catch (error) {
      // Somebody else was faster; the copy that others may be reading must not be replaced.
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return true;
      signal?.throwIfAborted();
      throw storageFailure(error);
    } finally {
      await this.incoming.discard(file);
    }
  }
}

const MISSING = 'NoSuchKey';

/** For how long a copy is kept on the disk. */
const COPY_MS = 3_600_000;

function keyOf(name: string): string {
  return `uploads/${name}`;
}
