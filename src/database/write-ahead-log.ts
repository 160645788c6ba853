import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { ConnectionLost } from './failure.js';

const toDisk = promisify(fdatasync);

/**
 * SQLite's write-ahead log, put on the disk by a thread of Node's: SQLite itself would keep the event
 * loop waiting for the disk at each commit. It still syncs the log before it is copied into the file,
 * and the file before the log begins anew. https://www.sqlite.org/pragma.html#pragma_synchronous
 */
export class WriteAheadLog {
  private descriptor: number | undefined;

  /** @param path of the database's file. */
  constructor(private readonly path: string) {}

  /**
   * Resolves when everything that was committed before is on the disk.
   *
   * @throws ConnectionLost when the disk refuses.
   */
  async sync(): Promise<void> {
    try {
      // The log is one file for as long as a connection is open.
      this.descriptor ??= openSync(`${this.path}-wal`, 'r');
      await toDisk(this.descriptor);
    } catch (cause) {
      throw new ConnectionLost('what was committed could not be put on the disk', { cause });
    }
  }

  close(): void {
    if (this.descriptor !== undefined) closeSync(this.descriptor);
    this.descriptor = undefined;
  }
}
