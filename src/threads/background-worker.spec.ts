import { afterEach, expect, it } from '@jest/globals';
import { BackgroundWorker } from './background-worker.js';

const worker = new BackgroundWorker<{ endless: boolean }, { done: boolean }>(
  new URL('../../test/support/endless-thread', import.meta.url),
  { mostWaiting: 4, mostMs: 2_000, idleMs: 60_000 },
);
afterEach(() => worker.stop());

it('ends a thread that works on what nobody waits for, and begins another one', async () => {
  const endless = worker.ask({ endless: true }, 'one');
  expect(await endless).toBeUndefined();
  let answer: { done: boolean } | undefined;
  while (!answer) answer = await worker.ask({ endless: false }, 'other');
  expect(answer).toEqual({ done: true });
});

it('has an asker wait only behind its own questions', async () => {
  const many = Array.from({ length: 6 }, () => worker.ask({ endless: false }, 'many'));
  const one = worker.ask({ endless: false }, 'one');
  expect(await one).toEqual({ done: true });
  const refused = (await Promise.all(many)).filter((answer) => answer === undefined);
  // One is worked on, four wait.
  expect(refused).toHaveLength(1);
});
