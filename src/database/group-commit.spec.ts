import { describe, expect, it, jest } from '@jest/globals';
import { setImmediate as nextRound, setTimeout as delay } from 'node:timers/promises';
import { ConnectionLost } from './failure.js';
import { GroupCommit } from './group-commit.js';

/** A commit that takes a while, remembers its batches, and fails as it is told to. */
function recorder(
  failure: (rows: readonly number[]) => Error | undefined = () => undefined,
  gatherMs?: number,
) {
  const batches: (readonly number[])[] = [];
  const writer = new GroupCommit<number>(async (rows) => {
    await delay(5);
    const error = failure(rows);
    if (error) throw error;
    batches.push(rows);
  }, gatherMs);
  return { batches, writer };
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('GroupCommit', () => {
  it('writes what comes at the same time together, in the order it came', async () => {
    const { batches, writer } = recorder();
    await Promise.all(numbers(50).map((row) => writer.add(row)));
    expect(batches).toEqual([numbers(50)]);
  });

  it('gathers what comes during a commit, in batches that one statement can take', async () => {
    const { batches, writer } = recorder();
    const first = writer.add(-1);
    await delay(2);
    await Promise.all([first, ...numbers(450).map((row) => writer.add(row))]);
    expect(batches.map((batch) => batch.length)).toEqual([1, 200, 200, 50]);
    expect(batches.flat()).toEqual([-1, ...numbers(450)]);
  });

  it('resolves no row before its commit has', async () => {
    let durable = false;
    const writer = new GroupCommit<number>(async () => {
      await delay(20);
      durable = true;
    });
    await writer.add(1);
    expect(durable).toBe(true);
  });

  it('starts again after it has been idle', async () => {
    const { batches, writer } = recorder();
    for (const row of numbers(5)) await writer.add(row);
    expect(batches).toHaveLength(5);
  });

  it('lets a bad row fail alone', async () => {
    const { batches, writer } = recorder((rows) =>
      rows.includes(3) ? new RangeError('bad row') : undefined,
    );
    const results = await Promise.allSettled(numbers(6).map((row) => writer.add(row)));
    expect(results.map(({ status }) => status)).toEqual(
      numbers(6).map((row) => (row === 3 ? 'rejected' : 'fulfilled')),
    );
    expect(batches.flat().sort()).toEqual([0, 1, 2, 4, 5]);
  });

  it('keeps the rows while the database is away or locked', async () => {
    const failures = [
      new ConnectionLost('gone'),
      Object.assign(new Error('locked'), { code: 'SQLITE_BUSY' }),
    ];
    const { batches, writer } = recorder(() => failures.shift());
    await Promise.all(numbers(3).map((row) => writer.add(row)));
    expect(batches).toEqual([numbers(3)]);
  });

  it('waits a moment for company where rows come one upon the other, and not for a lone one', async () => {
    // The clock stands still, and company has long enough to come on any machine.
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    const { batches, writer } = recorder(() => undefined, 300);
    await Promise.all(numbers(3).map((row) => writer.add(row)));
    const rows = numbers(4).map(async (row) => {
      // In rounds of the event loop of their own.
      for (let round = 0; round < row; round += 1) await nextRound();
      await writer.add(row);
    });
    await Promise.all(rows);
    expect(batches).toEqual([numbers(3), numbers(4)]);

    clock.mockReturnValue(60);
    const lone = writer.add(4);
    for (let round = 0; round < 3; round += 1) await nextRound();
    const late = writer.add(5);
    await Promise.all([lone, late]);
    expect(batches.slice(2)).toEqual([[4], [5]]);
    clock.mockRestore();
  });

  it('does not wait for company after two rows that met by chance', async () => {
    const commit = jest.fn(() => Promise.resolve());
    const writer = new GroupCommit<number>(commit);
    await Promise.all(numbers(2).map((row) => writer.add(row)));
    const row = writer.add(2);
    await nextRound();
    await nextRound();
    expect(commit).toHaveBeenCalledTimes(2);
    await row;
  });

  it('refuses a row after it was closed, as one that may be kept elsewhere', async () => {
    const { batches, writer } = recorder();
    await writer.close(0);
    await expect(writer.add(1)).rejects.toBeInstanceOf(ConnectionLost);
    expect(batches).toEqual([]);
  });

  it('gives up what it cannot write when it is closed, and says how much', async () => {
    const { writer } = recorder(() => new ConnectionLost('gone'));
    const rows = numbers(3).map((row) => writer.add(row));
    const results = Promise.allSettled(rows);
    expect(await writer.close(100)).toBe(3);
    for (const result of await results) {
      expect(result).toMatchObject({ status: 'rejected', reason: expect.any(ConnectionLost) });
    }
  });

  it('writes what is at hand before it closes', async () => {
    const { batches, writer } = recorder();
    const row = writer.add(1);
    expect(await writer.close(1000)).toBe(0);
    await row;
    expect(batches).toEqual([[1]]);
  });
});
