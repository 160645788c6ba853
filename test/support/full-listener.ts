import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

/** Longer than a connection takes that is made at all. */
const CONNECTED_MS = 100;
const MOST_QUEUED = 16;

/** What a listener has seen since it was woken. */
export interface Seen {
  readonly connections: number;
  readonly requests: number;
  /** Connections that are closed again. */
  readonly left: number;
}

/**
 * A server whose queue of new connections is full: connecting to it hangs until it is woken, and some
 * time longer, until the system asks again. What it gets then it answers with `{}`.
 */
export class FullListener {
  seen: Seen = { connections: 0, requests: 0, left: 0 };

  private constructor(
    readonly port: number,
    private readonly worker: Worker,
    private readonly gate: Int32Array,
    private readonly queued: readonly Socket[],
  ) {
    worker.on('message', (seen: Seen) => (this.seen = seen));
  }

  static async start(): Promise<FullListener> {
    const gate = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(new URL('full-listener-thread.mjs', import.meta.url), {
      workerData: gate,
    });
    const [port] = (await once(worker, 'message')) as [number];
    const queued: Socket[] = [];
    for (let isFull = false; !isFull && queued.length < MOST_QUEUED;) {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      queued.push(socket);
      isFull = await Promise.race([
        once(socket, 'connect').then(() => false),
        delay(CONNECTED_MS, true),
      ]);
    }
    // It waits as the callers' own will, and would be taken among theirs.
    queued.pop()?.destroy();
    return new FullListener(port, worker, gate, queued);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Connections that are not the callers' own. */
  get own(): number {
    return this.queued.length;
  }

  wake(): void {
    Atomics.store(this.gate, 0, 1);
    Atomics.notify(this.gate, 0);
  }

  async close(): Promise<void> {
    this.wake();
    for (const socket of this.queued) socket.destroy();
    await this.worker.terminate();
  }
}
