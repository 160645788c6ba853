import { lookup, type LookupOptions } from 'node:dns';
import { type LookupFunction } from 'node:net';

type Done = Parameters<LookupFunction>[2];

const running = new Map<string, Done[]>();

/**
 * The system's lookup of a name, once at a time for each: who asks meanwhile gets the same answer. It
 * takes one of a few threads until it ends, also for a connection that was given up, so that one name
 * whose server hangs would stand in the way of all other names.
 */
export const lookupOnce: LookupFunction = (hostname, options, done) => {
  const key = keyOf(hostname, options);
  const waiting = running.get(key);
  if (waiting) {
    waiting.push(done);
    return;
  }
  const all = [done];
  running.set(key, all);
  lookup(hostname, options, (...answer: Parameters<Done>) => {
    running.delete(key);
    for (const one of all) one(...answer);
  });
};

function keyOf(hostname: string, { family, hints, all, order }: LookupOptions): string {
  return JSON.stringify([hostname, family, hints, all, order]);
}
