import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { REPORT_MS, ReportQueue } from './report-queue.js';

// What still waits at a test's end would give up in the middle of another suite.
beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
afterEach(() => void jest.useRealTimers());

/** Asks for work that ends when it is told to; says what runs. */
function working(atOnce: number) {
  const reports = new ReportQueue(atOnce);
  const running = new Map<string, () => void>();
  const ask = (name: string) =>
    reports.take(name[0]!, async () => {
      await new Promise<void>((end) => running.set(name, end));
      running.delete(name);
    });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    ask,
    begun: async () => {
      await settled();
      return [...running.keys()];
    },
    end: async (name: string) => {
      running.get(name)?.();
      await settled();
      return [...running.keys()];
    },
  };
}

it('has one of each account after the other', async () => {
  const { ask, begun, end } = working(1);
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void ask(name);
  expect(await begun()).toEqual(['a1']);
  const order = [];
  for (let [next] = await begun(); next; [next] = await end(next)) order.push(next);
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
});

it('keeps one of several places for who has nothing running', async () => {
  const { ask, begun, end } = working(3);
  for (const name of ['a1', 'a2', 'a3', 'a4']) void ask(name);
  expect(await begun()).toEqual(['a1', 'a2']);
  void ask('b1');
  expect(await begun()).toEqual(['a1', 'a2', 'b1']);
  expect(await end('a1')).toEqual(['a2', 'b1']);
  void ask('c1');
  expect(await begun()).toEqual(['a2', 'b1', 'c1']);
  expect(await end('b1')).toEqual(['a2', 'c1']);
  expect(await end('c1')).toEqual(['a2', 'a3']);
});

it('goes on after work that failed', async () => {
  const reports = new ReportQueue(1);
  const failing = reports.take('a', () => Promise.reject(new Error('broken')));
  const next = reports.take('a', () => Promise.resolve('done'));
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('done');
});

it('refuses what waits too long, and what is too much for one account', async () => {
  const { ask, begun, end } = working(1);
  void ask('a0');
  const waiting = Array.from({ length: 64 }, (_, index) => ask(`a${index + 1}`));
  await expect(ask('a65')).rejects.toThrow('too many reports wait');
  const other = ask('b1');
  const late = Promise.allSettled([...waiting, other]);
  jest.advanceTimersByTime(REPORT_MS);
  expect((await late).filter(({ status }) => status === 'rejected')).toHaveLength(65);
  void ask('a66');
  expect(await end('a0')).toEqual(['a66']);
  expect(await begun()).toEqual(['a66']);
});
