import { Injectable } from '@nestjs/common';
import { type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { GatewayError } from '../contract/gateway-error.js';
import { type FirstStep } from './before-express.js';
import { CrowdingLog } from './most-connections.js';
import { type GatewayRequest } from './gateway-request.js';
import { CallerLeft } from './request-context.js';
import { writeError } from './write-error.js';

/** Every part of the gateway that ends something with a request listens for the end of its response. */
const MOST_LISTENERS = 30;

/** After so many milliseconds a caller is settled: who has a good key is known by then. */
export const SETTLED_MS = 2_000;

/** The requests of a connection. */
interface Use {
  /** `performance.now()` when it got its place in the lists. */
  since: number;
  running: number;
  /** Those of them whose callers are known. */
  kept: number;
}

/** The requests that are being answered. */
@Injectable()
export class RunningRequests {
  private readonly running = new Set<ServerResponse>();
  /** Every connection. */
  private readonly uses = new Map<Socket, Use>();
  /** The connections without a request, the longest first. */
  private readonly unused = new Set<Socket>();
  /** Those with requests of nobody who is known, the longest first. */
  private readonly unknown = new Set<Socket>();
  private readonly crowding = new CrowdingLog();
  private lastAt = performance.now();

  /** `performance.now()` when a request last came, or was over. */
  get movedAt(): number {
    return this.lastAt;
  }

  get count(): number {
    return this.running.size;
  }

  /** Connections that are open, also those without a request. */
  get connections(): number {
    return this.uses.size;
  }

  /**
   * Keeps the list of a server's connections, and them to so many. For a further one another one is closed
   * (`leastNeeded`); where the callers of all are known, the further one itself.
   */
  watch(server: Server, most: number): void {
    server.on('connection', (socket: Socket) => {
      this.uses.set(socket, { since: performance.now(), running: 0, kept: 0 });
      socket.once('close', () => {
        this.forget(socket);
      });
      if (this.uses.size > most) {
        const longest = this.leastNeeded() ?? socket;
        this.forget(longest);
        longest.destroy();
        this.crowding.add(most);
        if (longest === socket) return;
      }
      this.unused.add(socket);
    });
  }

  /**
   * Breaks off the connections without a request: also those that were never used, and those on which
   * a head has begun, which Node takes for used ones. What has been answered last may still be read.
   */
  closeUnused(): void {
    for (const [socket, { running }] of this.uses) {
      if (running === 0 && !socket.writableEnded) socket.destroy();
    }
  }

  /** Counts a request until its answer is over. */
  readonly track: FirstStep = ({ socket }, response, next) => {
    this.running.add(response);
    this.reckon(socket, { running: 1 });
    this.lastAt = performance.now();
    response.setMaxListeners(MOST_LISTENERS);
    response.once('close', () => {
      this.running.delete(response);
      this.reckon(socket, { running: -1 });
      this.lastAt = performance.now();
    });
    next();
  };

  /** A request's caller is known: its connection is not closed for another one before it is over. */
  keep(response: ServerResponse): void {
    const { socket } = response.req;
    this.reckon(socket, { kept: 1 });
    response.once('close', () => {
      this.reckon(socket, { kept: -1 });
    });
  }

  /** Has the answers that have not begun close their connections, each after its last request. */
  part(): void {
    const latest = new Map([...this.running].map((response) => [response.req.socket, response]));
    for (const response of latest.values()) {
      if (!response.headersSent) response.setHeader('connection', 'close');
    }
  }

  /**
   * Ends every request: a stream with an error event, another one with 503. Their calls are broken off
   * and paid for, as if the callers had hung up; the last one that did may not have been told of it yet.
   *
   * @param tellingMs how long a call may take to end by itself, with what was tried.
   */
  interrupt(tellingMs: number): void {
    for (const response of this.running) {
      const request = response.req as GatewayRequest;
      if (request.socket.destroyed) {
        request.leave?.(new CallerLeft('The caller hung up'));
        continue;
      }
      const error = stopping();
      const tell = (): void => {
        if (request.breakOff) request.breakOff(error);
        else if (!response.headersSent) writeError(response, error);
      };
      if (request.breakOff || !request.leave) tell();
      else setTimeout(tell, tellingMs);
      request.leave?.(error);
    }
  }

  private reckon(socket: Socket, { running = 0, kept = 0 }: Partial<Omit<Use, 'since'>>): void {
    const use = this.uses.get(socket);
    // It may be closed already.
    if (!use) return;
    const before = this.placeOf(use);
    use.running += running;
    use.kept += kept;
    const list = this.placeOf(use);
    if (list === before) return;
    use.since = performance.now();
    before?.delete(socket);
    list?.add(socket);
  }

  /**
   * The connection that has been without a request for long, or with one of nobody who is known; where there is
   * none for long, one that is still without. Undefined where the callers of all are known.
   */
  private leastNeeded(): Socket | undefined {
    const [unused] = this.unused;
    const [unknown] = this.unknown;
    const settledAt = performance.now() - SETTLED_MS;
    const isSettled = (socket: Socket | undefined): boolean =>
      socket !== undefined && (this.uses.get(socket)?.since ?? 0) <= settledAt;
    return !isSettled(unused) && isSettled(unknown) ? unknown : (unused ?? unknown);
  }

  /** Where a connection stands; undefined for one whose caller is known. */
  private placeOf({ running, kept }: Use): Set<Socket> | undefined {
    if (kept > 0) return undefined;
    return running > 0 ? this.unknown : this.unused;
  }

  private forget(socket: Socket): void {
    this.uses.delete(socket);
    this.unused.delete(socket);
    this.unknown.delete(socket);
  }
}

function stopping(): GatewayError {
  const message = 'The gateway is being stopped, and this took too long. Send the request again.';
  return new GatewayError(503, 'shutting_down', message, { close: true });
}
