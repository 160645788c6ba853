import { type INestApplication, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { once } from 'node:events';
import { type AddressInfo, createServer, type ListenOptions, Server } from 'node:net';
import { assertFree } from './assert-free.js';

/** So many connections are taken in in one round of the event loop. */
const LISTENERS = 16;

/**
 * Listens in a way in which connections do not wait for long under load. Of one listening socket Node
 * takes in one connection in each round of the event loop (https://github.com/libuv/libuv/pull/3696),
 * which is fifty a second when rounds take 20 ms; health checks and quiet callers would stand in line
 * with a flood. Linux spreads the connections of one port over several sockets (SO_REUSEPORT).
 */
@Injectable()
export class Listeners {
  private readonly others: Server[] = [];
  /** Of each that was closed, when its last connection has ended. */
  private readonly ended: Promise<unknown>[] = [];

  constructor(private readonly adapter: HttpAdapterHost) {}

  /** @throws what Node says of an address that cannot be had, as EADDRINUSE. */
  async open(app: INestApplication, port: number, host: string): Promise<void> {
    if (process.platform !== 'linux') {
      await app.listen(port, host);
      return;
    }
    // Also another gateway, by mistake, could share it.
    if (port !== 0) await assertFree(port, host);
    const shared: ListenOptions = { host, reusePort: true };
    // Nest passes on what it is given.
    await app.listen({ ...shared, port } as never);
    const server = app.getHttpServer() as Server;
    const { port: found } = server.address() as AddressInfo;
    for (let count = 1; count < LISTENERS; count++) {
      // As Node's HTTP server makes its own.
      const other = createServer({ allowHalfOpen: true, noDelay: true });
      other.on('connection', (socket) => server.emit('connection', socket));
      await once(other.listen({ ...shared, port: found }), 'listening');
      this.others.push(other);
    }
  }

  /** Leaves one listener, and closes each of the others in a moment that `quiet` waits for. */
  async narrow(quiet: () => Promise<void>): Promise<void> {
    for (const other of this.others.splice(0)) {
      await quiet();
      this.ended.push(closed(other));
    }
  }

  /** Takes in no connection any more; resolves when the last one has ended. */
  async close(): Promise<void> {
    const server = this.adapter.httpAdapter.getHttpServer() as Server;
    this.ended.push(...[server, ...this.others.splice(0)].map(closed));
    await Promise.all(this.ended);
  }
}

/** HTTP's own `close` would break off the unused connections, too. */
function closed(server: Server): Promise<unknown> {
  return new Promise((ended) => Server.prototype.close.call(server, ended));
}
