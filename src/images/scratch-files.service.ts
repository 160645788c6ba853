import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CONFIG, type Config } from '../config/config.js';
import { makeDirectory } from '../files/directories.js';
import { isRunning, leave, newOwner } from '../uploads/owner.js';
import { RequestFiles } from './request-files.js';

/** Keeps files while a request runs, under `DATA_DIR/tmp`, and deletes what a crash left there. */
@Injectable()
export class ScratchFiles implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly owner = newOwner();
  private readonly directory: string;

  constructor(@Inject(CONFIG) { dataDir }: Config) {
    this.directory = join(dataDir, 'tmp');
  }

  /** A place for the files of a request; they are deleted by its `dispose`. */
  forRequest(): RequestFiles {
    return new RequestFiles(() => this.place());
  }

  /** The path of a file that does not exist yet, in a directory that does. */
  async newPath(): Promise<string> {
    await makeDirectory(this.directory);
    return this.place();
  }

  onApplicationBootstrap(): Promise<void> {
    return this.sweep();
  }

  /** With what this process leaves behind itself. */
  onApplicationShutdown(): Promise<void> {
    leave(this.owner);
    return this.sweep();
  }

  private place(): string {
    return join(this.directory, `${this.owner}.${randomUUID()}`);
  }

  /** Deletes the files of processes that do not run any more. */
  private async sweep(): Promise<void> {
    for (const name of await readdir(this.directory).catch(() => [])) {
      const path = join(this.directory, name);
      if (await isAbandoned(name, path)) await rm(path, { force: true });
    }
  }
}

async function isAbandoned(name: string, path: string): Promise<boolean> {
  const running = isRunning(name.replace(/\.[^.]*$/, ''));
  if (running !== undefined) return !running;
  const file = await stat(path).catch(() => undefined);
  return file !== undefined && Date.now() - file.mtimeMs > LONGEST_REQUEST_MS;
}

/** Of a process elsewhere nobody here can know; but no request takes a day. */
const LONGEST_REQUEST_MS = 86_400_000;
