import { type Transaction } from 'kysely';
import { setTimeout as delay } from 'node:timers/promises';
import { type Engine } from './engine.js';
import { ConnectionLost, failureOf } from './failure.js';
import { type Tables } from './tables.js';

/** What is done in a transaction. */
export type Work<T> = (transaction: Transaction<Tables>) => Promise<T>;

/**
 * Runs `work` in one transaction, again from its beginning when it lost against another one; so it
 * awaits nothing but the database, and leaves no mark elsewhere. Durable when it resolves.
 *
 * @throws what `work` or the database throws; also a lost race, when the patience is over.
 */
export async function transact<T>(
  { kysely, durable }: Pick<Engine, 'kysely' | 'durable'>,
  work: Work<T>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const done = await untilUnlocked(() => kysely.transaction().execute(work), patienceMs);
  await durable();
  return done;
}

/** Runs a query again while another process holds the lock it needs. */
export async function untilUnlocked<T>(
  run: () => Promise<T> | T,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const giveUpAt = performance.now() + patienceMs;
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (failureOf(error) !== 'retry' || performance.now() > giveUpAt) throw error;
    }
    await delay(1 + 4 * Math.random());
  }
}

/**
 * What `promise` gives. Time that the event loop spends on other work counts little: what has come in
 * meanwhile is only waiting to be read.
 *
 * @throws ConnectionLost when it has not settled in time.
 */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    let steps = STEPS;
    timer = setInterval(() => {
      steps -= 1;
      if (steps === 0) reject(new ConnectionLost(`no answer in ${ms} ms`));
    }, ms / STEPS);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearInterval(timer);
  }
}

const PATIENCE_MS = 1_000;
/** A late round of the event loop counts as one of them. */
const STEPS = 10;
