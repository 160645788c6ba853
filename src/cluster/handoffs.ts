import { type Worker } from 'node:cluster';

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
}

/**
 * Looks after connections that a worker was handed and has not taken when it dies. Node's cluster waits
 * for its word on them for ever, so that their callers would get neither an answer nor an end: they go to
 * another worker, which finds in them all that was sent.
 *
 * Node has no event for it, so this listens to what cluster tells the worker and to what it says. Where a
 * version says it in another way, nothing is found and nothing changes.
 *
 * @param hasOthers whether another worker takes connections; else they are closed, so that their callers
 * come again.
 */
export function handOverFrom(worker: Worker, hasOthers: () => boolean): void {
  const { process: child } = worker;
  const untaken = new Map<number, Handed>();
  const send = child.send.bind(child) as (message: unknown, ...more: unknown[]) => boolean;
  child.send = (message: unknown, ...more: unknown[]): boolean => {
    const { cmd, act, seq } = message as ClusterMessage;
    const [handle] = more as [Handed | undefined];
    if (cmd === CLUSTER && act === 'newconn' && seq !== undefined && handle) {
      untaken.set(seq, handle);
    }
    return send(message, ...more);
  };
  child.on('internalMessage', ({ cmd, ack }: ClusterMessage) => {
    if (cmd === CLUSTER && ack !== undefined) untaken.delete(ack);
  });
  worker.once('exit', () => {
    // Cluster has heard by now all that it said, and will hand it no more; or it has yet to.
    const isOut = !worker.isConnected();
    const release = (): void => {
      if (worker.isConnected()) {
        setTimeout(release, HEARD_MS);
        return;
      }
      for (const [ack, handle] of [...untaken]) {
        if (isOut && hasOthers()) {
          child.emit('internalMessage', { cmd: CLUSTER, ack, accepted: false });
        } else handle.close();
      }
      untaken.clear();
    };
    release();
  });
}

/** What a dead worker has said last is heard in a moment. */
const HEARD_MS = 10;
const CLUSTER = 'NODE_CLUSTER';
