import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setImmediate as nextRound, setTimeout as delay } from 'node:timers/promises';
import { EventLoop } from './event-loop.js';

describe('EventLoop', () => {
  let loop: EventLoop;
  beforeEach(() => {
    loop = new EventLoop();
    loop.start();
  });
  afterEach(() => {
    loop.stop();
  });

  const work = (ms: number): void => {
    for (const until = performance.now() + ms; performance.now() < until;);
  };

  it('is busy while it works, and late for who waits', async () => {
    await delay(50);
    loop.look();
    for (let round = 0; round < 4; round++) {
      work(100);
      // A timer would wait, and on a busy machine for long.
      await nextRound();
    }
    const { busy, lateMs } = loop.look();
    expect(busy).toBeGreaterThan(0.9);
    expect(lateMs).toBeGreaterThan(20);
  });

  it('is not busy while it waits', async () => {
    loop.look();
    await delay(300);
    expect(loop.look().busy).toBeLessThan(0.5);
  });

  it('says for how long it has looked, however late that is', async () => {
    loop.look();
    const asked = delay(50);
    work(400);
    await asked;
    expect(loop.look().forMs).toBeGreaterThanOrEqual(400);
  });

  it('is late by all the time in which it did not come round once', () => {
    loop.look();
    work(300);
    const { forMs, lateMs } = loop.look();
    expect(lateMs).toBe(forMs);
  });
});
