import { describe, expect, it } from '@jest/globals';
import { useStillClock } from '../../test/support/clock.js';
import { nextFreeRound, timeSliced } from './time-sliced.js';

const clock = useStillClock();

/** Work of so many steps of so many milliseconds, which notes each of them. */
function* work(name: string, steps: number, ms: number, done: string[]): Generator<void, string> {
  for (let step = 0; step < steps; step++) {
    clock.now += ms;
    done.push(name);
    yield;
  }
  return name;
}

/** Notes each round of the event loop, until it is told that it is over. */
function rounds(done: string[]): () => void {
  let isOver = false;
  const round = (): void => {
    done.push('|');
    if (!isOver) setImmediate(round);
  };
  setImmediate(round);
  return () => (isOver = true);
}

describe('work in time slices', () => {
  it('is done at once when it takes no longer than a slice', async () => {
    const done: string[] = [];
    const over = rounds(done);
    expect(await timeSliced(work('a', 4, 1, done))).toBe('a');
    over();
    expect(done).toEqual(['a', 'a', 'a', 'a']);
  });

  it('lets the event loop come round after each slice', async () => {
    const done: string[] = [];
    const over = rounds(done);
    await timeSliced(work('a', 5, 3, done));
    over();
    expect(done.join('')).toBe('aa|aa|a');
  });

  it('has one slice in a round, however much of it there is', async () => {
    const done: string[] = [];
    await nextFreeRound();
    const over = rounds(done);
    await Promise.all(['a', 'b', 'c'].map((name) => timeSliced(work(name, 3, 5, done))));
    over();
    expect(done.join('')).toMatch(/^abc\|(a\|b\|c\|){2}/);
  });

  it('throws what the work throws', async () => {
    const broken = (function* (): Generator<void, never> {
      yield;
      throw new RangeError('broken');
    })();
    await expect(timeSliced(broken)).rejects.toThrow(new RangeError('broken'));
  });
});
