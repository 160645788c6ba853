import { type Worker } from 'node:cluster';
import { quietMoments } from './quiet.js';

/** A connection that the primary has accepted, as Node's cluster hands it over. */
interface Handed {
  close(): void;
}

/**
 * What Node's cluster says between its processes.
 * https://github.com/nodejs/node/blob/main/lib/internal/cluster/utils.js
 */
interface ClusterMessage {
  readonly cmd?: string;
  readonly act?: string;
  readonly seq?: number;
  readonly ack?: number;
  /** The name of a listener that several workers share. */
  readonly key?: string;
}

/**
 * The connections that the primary accepts and hands to workers. Node's cluster forgets two kinds, whose
 * callers would get neither an answer nor an end: those that a worker was handed and has not taken when it
 * dies, for whose word cluster waits for ever, and those that the last worker has sent back since it
 * listens no more.
 *
 * Node has no event for either, so this listens to what cluster tells the workers and to what it hears,
 * and says some of that itself. Where a version says it in another way, nothing is found and nothing
 * changes. https://github.com/nodejs/node/blob/main/lib/internal/cluster/round_robin_handle.js
 */
export class Handoffs {
  /** What each worker was handed and has not taken, by the numbers of cluster's messages. */
  private readonly untaken = new Map<Worker['process'], Map<number, Handed>>();
  private readonly keys = new Set<string>();
  /** How many connections were handed over since somebody last looked. */
  private handed = 0;
  private closing: Promise<void> | undefined;
  private isClosed = false;

  /**
   * Looks after what a worker is handed. When it dies that goes to another one, which finds in it all that
   * was sent.
   *
   * @param hasOthers whether another worker takes connections; else they are closed, so that their callers
   * come again.
   */
  watch(worker: Worker, hasOthers: () => boolean): void {
    const { process: child } = worker;
    const untaken = new Map<number, Handed>();
    const send = child.send.bind(child) as (message: unknown, ...more: unknown[]) => boolean;
    child.send = (message: unknown, ...more: unknown[]): boolean => {
      const { cmd, act, seq, key } = message as ClusterMessage;
      const [handle] = more as [Handed | undefined];
      if (cmd === CLUSTER && key !== undefined) this.keys.add(key);
      if (cmd === CLUSTER && act === 'newconn' && seq !== undefined && handle) {
        this.handed += 1;
        untaken.set(seq, handle);
      }
      return send(message, ...more);
    };
    child.on('internalMessage', ({ cmd, ack }: ClusterMessage) => {
      if (cmd === CLUSTER && ack !== undefined) untaken.delete(ack);
    });
    this.untaken.set(child, untaken);
    worker.once('exit', () => {
      this.untaken.delete(child);
      // Cluster has heard by now all that it said, and will hand it no more; or it has yet to.
      const isOut = !worker.isConnected();
      const release = (): void => {
        if (worker.isConnected()) {
          setTimeout(release, HEARD_MS);
          return;
        }
        for (const [ack, handle] of [...untaken]) {
          if (isOut && !this.isClosed && hasOthers()) {
            child.emit('internalMessage', { cmd: CLUSTER, ack, accepted: false });
          } else handle.close();
        }
        untaken.clear();
      };
      release();
    });
  }

  /**
   * Takes in no connection any more; resolves when the workers have, or are being sent, all that there were,
   * and before they are told anything else. They listen on, each until it closes.
   */
  close(): Promise<void> {
    this.closing ??= this.closed().finally(() => (this.closing = undefined));
    return this.closing;
  }

  private async closed(): Promise<void> {
    const isComing = (): boolean => {
      const came = this.handed > 0;
      this.handed = 0;
      // When one has taken all that it was handed, none waits.
      return came || [...this.untaken.values()].every(({ size }) => size > 0);
    };
    // What has run before runs faster in the moment that matters.
    this.unlist([NO_KEY]);
    await quietMoments(isComing, () => this.isClosed)();
    this.unlist(this.keys);
    this.isClosed = true;
  }

  /** Has cluster hand no worker any more of what these listeners take in. */
  private unlist(keys: Iterable<string>): void {
    for (const child of this.untaken.keys()) {
      for (const key of keys) {
        child.emit('internalMessage', { cmd: CLUSTER, act: 'close', key });
      }
    }
  }
}

/** No listener has it. */
const NO_KEY = '';
/** What a dead worker has said last is heard in a moment. */
const HEARD_MS = 10;
const CLUSTER = 'NODE_CLUSTER';
