import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CONFIG, type Config } from '../config/config.js';
import { makeDirectory } from '../files/directories.js';
import { uploadDirectories } from './directories.js';
import { isRunning, leave, newOwner } from './owner.js';
import { storageFailure } from './storage-failure.js';

/** A file that is being received: not there yet, or not whole. */
export interface IncomingFile {
  readonly name: string;
  readonly path: string;
}

/** The files that are on their way into the store, under names that tell whose they are. */
@Injectable()
export class IncomingFiles implements OnApplicationShutdown {
  /** This process, as `isRunning` knows it. */
  readonly owner = newOwner();
  private readonly directory: string;
  private readonly active = new Set<string>();

  constructor(@Inject(CONFIG) { dataDir }: Config) {
    this.directory = uploadDirectories(dataDir).incoming;
  }

  /**
   * The place for one more; it is not made. Every place is given back by `discard`.
   *
   * @throws GatewayError 507 when the disk is full.
   */
  async begin(): Promise<IncomingFile> {
    await makeDirectory(this.directory).catch((error: unknown) => {
      throw storageFailure(error);
    });
    const name = `${this.owner}.${randomUUID()}`;
    this.active.add(name);
    return { name, path: join(this.directory, name) };
  }

  /** Deletes what is still there of a file, if anything. */
  async discard({ name, path }: IncomingFile): Promise<void> {
    await rm(path, { force: true });
    this.active.delete(name);
  }

  /** Deletes what processes left behind that do not run any more. */
  async sweep(): Promise<void> {
    const names = await readdir(this.directory).catch(() => []);
    for (const name of names) {
      if (this.active.has(name)) continue;
      const path = join(this.directory, name);
      if (await this.isAbandoned(name, path)) await rm(path, { force: true });
    }
  }

  /** What is still being received is not waited for, and nobody else would know that it is nobody's. */
  async onApplicationShutdown(): Promise<void> {
    leave(this.owner);
    this.active.clear();
    await this.sweep();
  }

  private async isAbandoned(name: string, path: string): Promise<boolean> {
    const running = name.startsWith(this.owner) ? false : isRunning(name.replace(/\.[^.]*$/, ''));
    if (running !== undefined) return !running;
    const file = await stat(path).catch(() => undefined);
    return file !== undefined && Date.now() - file.mtimeMs > SILENT_MS;
  }
}

/** A file of a process nobody here can ask about that has not grown for so long is abandoned. */
export const SILENT_MS = 900_000;
