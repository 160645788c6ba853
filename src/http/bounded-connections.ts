import { Logger } from '@nestjs/common';
import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { type Config } from '../config/config.js';
import { machineMemory, mostOpenFiles } from '../config/machine.js';

/** What a connection takes that waits for its next request; `docs/operations.md` has how it was measured. */
const BYTES_OF_CONNECTION = 16 * 1024;
const PART_OF_MEMORY = 1 / 8;
/** For the database, Redis, files and listeners. */
const KEPT_FILES = 200;
const LEAST = 20;
const WARNING_EVERY_MS = 60_000;

/** How many connections callers may have: a call takes a second one, to its provider. */
export function mostConnections({ maxConnections, workers }: Config): number {
  if (maxConnections !== undefined) return maxConnections;
  const byFiles = ((mostOpenFiles() ?? Infinity) - KEPT_FILES) / 2;
  const byMemory = (machineMemory() * PART_OF_MEMORY) / BYTES_OF_CONNECTION / workers;
  return Math.max(LEAST, Math.floor(Math.min(byFiles, byMemory)));
}

/**
 * Keeps a server to so many connections. For a further one, that one is closed which has been without a
 * request for the longest; where all of them have one, the further one itself.
 */
export function boundConnections(server: Server, most: number): void {
  /** How many requests run on each. */
  const requests = new Map<Socket, number>();
  /** Those without a request, the longest first. */
  const unused = new Set<Socket>();
  const warn = warning(most);
  const forget = (socket: Socket): void => {
    requests.delete(socket);
    unused.delete(socket);
  };
  server.on('connection', (socket: Socket) => {
    requests.set(socket, 0);
    unused.add(socket);
    socket.once('close', () => {
      forget(socket);
    });
    if (requests.size <= most) return;
    const [longest = socket] = unused;
    forget(longest);
    longest.destroy();
    warn();
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const count = requests.get(socket);
    if (count === undefined) return;
    requests.set(socket, count + 1);
    unused.delete(socket);
    response.once('close', () => {
      const left = (requests.get(socket) ?? 0) - 1;
      if (left < 0) return;
      requests.set(socket, left);
      if (left === 0) unused.add(socket);
    });
  });
}

/** One line a minute, however many are closed. */
function warning(most: number): () => void {
  const logger = new Logger('Connections');
  let closed = 0;
  let warnedAt = -Infinity;
  return () => {
    closed += 1;
    if (performance.now() - warnedAt < WARNING_EVERY_MS) return;
    warnedAt = performance.now();
    logger.warn({ most, closed, msg: 'connections closed to make room for others' });
    closed = 0;
  };
}
