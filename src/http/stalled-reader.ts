import { type ServerResponse } from 'node:http';
import { type FirstStep } from './before-express.js';

/** How often a reader is looked at in the time that it may take nothing. */
const LOOKS = 8;

/**
 * Cuts a response whose reader takes nothing of what was written for so long. Node's own time limit of a
 * connection begins anew with whatever the reader sends, and takes the first look at a long write for
 * progress: that reader has twice the time. Behind the answer to an earlier request on the same connection
 * the time waits.
 *
 * @returns ends the watch, which the end of the response does, too.
 */
function cutStalled(response: ServerResponse, stallMs: number): () => void {
  let queued = queuedBytes(response);
  let takenAt = performance.now();
  const look = setInterval(() => {
    const now = performance.now();
    const left = queuedBytes(response);
    if (left !== queued || !response.socket) {
      queued = left;
      takenAt = now;
    } else if (now - takenAt >= stallMs) response.destroy();
  }, stallMs / LOOKS);
  const stop = (): void => {
    clearInterval(look);
    response.off('close', stop);
  };
  response.once('close', stop);
  if (response.destroyed) stop();
  return stop;
}

/**
 * Returns when the caller has taken what was written, or is gone; one that takes nothing for too long
 * is cut.
 */
export function drained(response: ServerResponse, stallMs: number): Promise<void> {
  return new Promise((resolve) => {
    const stop = cutStalled(response, stallMs);
    const done = (): void => {
      stop();
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.once('drain', done);
    response.once('close', done);
    if (response.destroyed) done();
  });
}

/** Cuts each reader that takes nothing of what is left of its answer when all of that was written. */
export function cutUnread(stallMs: number): FirstStep {
  return (_request, response, next) => {
    response.once('prefinish', () => {
      if (response.writableLength > 0) cutStalled(response, stallMs);
    });
    next();
  };
}

/** What the system has not taken yet of what was given to it; Node itself looks there for progress. */
function queuedBytes({ socket }: ServerResponse): number {
  const { _handle: handle } = (socket ?? {}) as { _handle?: { writeQueueSize?: number } | null };
  return handle?.writeQueueSize ?? 0;
}
