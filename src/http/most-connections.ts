import { Logger } from '@nestjs/common';
import { type Config } from '../config/config.js';
import { machineMemory, mostOpenFiles } from '../config/machine.js';

/** What a connection takes that waits for its next request; `docs/operations.md` has how it was measured. */
const BYTES_OF_CONNECTION = 16 * 1024;
const PART_OF_MEMORY = 1 / 8;
/** For the database, Redis, files and listeners. */
const KEPT_FILES = 200;
const LEAST = 20;
const SAID_EVERY_MS = 60_000;

/**
 * How many connections there may be beyond `mostConnections`: on these a caller is answered that there is none
 * for his request, and whoever needs none for long, as health checks do. The listeners take in half as many at
 * once.
 */
export const SPARE_CONNECTIONS = 32;

/** How many connections callers may have: a call takes a second one, to its provider. */
export function mostConnections({ maxConnections, workers }: Config): number {
  if (maxConnections !== undefined) return maxConnections;
  const byFiles = ((mostOpenFiles() ?? Infinity) - KEPT_FILES) / 2;
  const byMemory = (machineMemory() * PART_OF_MEMORY) / BYTES_OF_CONNECTION / workers;
  return Math.max(LEAST, Math.floor(Math.min(byFiles, byMemory)));
}

/**
 * That callers' connections may need more files than there are; undefined where there are enough. Without
 * files nothing is answered or logged: a connection that cannot be taken in is not even seen.
 *
 * @param files how many the process may have open; undefined where that is not told.
 */
export function tooFewFiles(config: Config, files = mostOpenFiles()): string | undefined {
  const most = mostConnections(config);
  const needed = 2 * most + KEPT_FILES;
  if (files === undefined || files >= needed) return undefined;
  return (
    `${most} requests at once (MAX_CONNECTIONS) may need ${needed} open files, ` +
    `and this process may have ${files} (ulimit -n)`
  );
}

/** Says that connections were closed to make room for others: one line a minute, however many. */
export class CrowdingLog {
  private readonly logger = new Logger('Connections');
  private closed = 0;
  private saidAt = -Infinity;

  add(most: number): void {
    this.closed += 1;
    if (performance.now() - this.saidAt < SAID_EVERY_MS) return;
    this.saidAt = performance.now();
    const { closed } = this;
    this.logger.warn({ most, closed, msg: 'connections closed to make room for others' });
    this.closed = 0;
  }
}
