import { describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { sideBySide } from './side-by-side.js';

const { signal } = new AbortController();

describe('sideBySide', () => {
  it('does four at once, and gives what comes of them in their order', async () => {
    let [running, most] = [0, 0];
    const items = Array.from({ length: 10 }, (_, index) => index);
    const results = await sideBySide(items, signal, async (item) => {
      most = Math.max(most, ++running);
      await delay(item % 4 === 0 ? 20 : 1);
      running -= 1;
      return item * 2;
    });
    expect(results).toEqual(items.map((item) => item * 2));
    expect(most).toBe(4);
  });

  it('stops those behind the first that fails, begins no other one, and waits for their end', async () => {
    const begun: number[] = [];
    const stopped: number[] = [];
    const work = async (item: number, ends: AbortSignal) => {
      begun.push(item);
      if (item === 0) return delay(20);
      if (item === 1) throw await delay(1, new Error('no image'));
      await delay(60_000, undefined, { signal: ends }).catch(() => delay(30));
      stopped.push(item);
    };
    await expect(sideBySide([0, 1, 2, 3, 4, 5], signal, work)).rejects.toThrow('no image');
    expect([begun, stopped]).toEqual([
      [0, 1, 2, 3],
      [2, 3],
    ]);
  });

  it('fails with the first in their order, whichever is faster', async () => {
    const work = async (item: number) => {
      throw await delay(20 - 10 * item, new Error(`no image ${item}`));
    };
    await expect(sideBySide([0, 1, 2], signal, work)).rejects.toThrow('no image 0');
  });

  it('ends with the signal', async () => {
    const end = new AbortController();
    const asked = sideBySide([1, 2], end.signal, (_, ends) =>
      delay(60_000, undefined, { signal: ends }),
    );
    end.abort();
    await expect(asked).rejects.toThrow();
  });
});
