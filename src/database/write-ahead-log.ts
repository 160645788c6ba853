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
  private running: Promise<void> = Promise.resolve();
  /** The sync that begins when the running one is over. */
  private next: Promise<void> | undefined;

  /** @param path of the database's file. */
  constructor(private readonly path: string) {}

  /**
   * Resolves when everything that was committed before is on the disk. One sync serves all who ask
   * for it while another one runs.
   *
   * @throws ConnectionLost when the disk refuses.
   */
  sync(): Promise<void> {
    // What runs may have begun before the commit of who asks.
    this.next ??= this.afterRunning();
    return this.next;
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.running, this.next]);
    if (this.descriptor !== undefined) closeSync(this.descriptor);
    this.descriptor = undefined;
  }

  private async afterRunning(): Promise<void> {
    await Promise.allSettled([this.running]);
    this.next = undefined;
    this.running = this.syncNow();
    await this.running;
  }

  private async syncNow(): Promise<void> {
    try {
      // The log is one file for as long as a connection is open.
      this.descriptor ??= openSync(`${this.path}-wal`, 'r');
      await toDisk(this.descriptor);
    } catch (cause) {
      throw new ConnectionLost('what was committed could not be put on the disk', { cause });
    }
  }
}
