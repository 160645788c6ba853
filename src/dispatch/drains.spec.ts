import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Drains, LONGEST_DRAIN_MS, MOST_DRAINED_BYTES, MOST_DRAINS } from './drains.js';

describe('Drains', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** How many of them count with the memory. */
  let counted = 0;
  const contextOf = (signal: AbortSignal) => ({
    signal,
    outlive: () => {
      counted += 1;
      return () => void (counted -= 1);
    },
  });
  const begun = (drains: Drains) => {
    const caller = new AbortController();
    const drain = drains.for(contextOf(caller.signal));
    drain.sent();
    return { drain, leave: () => caller.abort(new Error('left')) };
  };
  async function* pieces(...sizes: number[]) {
    for (const size of sizes) yield await Promise.resolve(Buffer.alloc(size));
  }
  const readAll = async (body: AsyncIterable<Buffer>) => {
    let bytes = 0;
    for await (const piece of body) bytes += piece.length;
    return bytes;
  };

  it('keep a call for a while when its caller has left, and cut it with his reason', () => {
    const { drain, leave } = begun(new Drains());
    jest.advanceTimersByTime(10 * LONGEST_DRAIN_MS);
    expect(drain.signal.aborted).toBe(false);
    leave();
    jest.advanceTimersByTime(LONGEST_DRAIN_MS - 1);
    expect(drain.signal.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    expect(drain.signal.reason).toEqual(new Error('left'));
  });

  it('count bytes from the moment at which the caller left', async () => {
    const { drain, leave } = begun(new Drains());
    const body = drain.reading(pieces(MOST_DRAINED_BYTES, 5, MOST_DRAINED_BYTES - 5, 1));
    expect((await body.next()).value).toHaveLength(MOST_DRAINED_BYTES);
    leave();
    await body.next();
    await body.next();
    await expect(body.next()).rejects.toThrow('left');
    expect(drain.signal.aborted).toBe(true);
  });

  it('are so many at a time, and make place when they are over', async () => {
    const drains = new Drains();
    const all = Array.from({ length: MOST_DRAINS + 1 }, () => begun(drains));
    for (const { leave } of all) leave();
    const cut = () => all.map(({ drain }) => drain.signal.aborted).indexOf(true);
    expect(cut()).toBe(MOST_DRAINS);
    expect(await readAll(all[0]!.drain.reading(pieces(1, 2)))).toBe(3);
    all[1]!.drain.end();
    const [next, another, last] = [begun(drains), begun(drains), begun(drains)];
    for (const { leave } of [next, another, last]) leave();
    expect([next, another, last].map(({ drain }) => drain.signal.aborted)).toEqual([
      ...[false, false, true],
    ]);
  });

  it('count with the memory of their calls while they run, once', () => {
    counted = 0;
    const { drain, leave } = begun(new Drains());
    expect(counted).toBe(0);
    leave();
    expect(counted).toBe(1);
    drain.end();
    drain.end();
    expect(counted).toBe(0);
  });

  it('cut a call at once that was not sent when its caller left', () => {
    const caller = new AbortController();
    const drain = new Drains().for(contextOf(caller.signal));
    caller.abort(new Error('left'));
    expect(drain.signal.reason).toEqual(new Error('left'));
  });

  it('leave alone what has ended, and begin nothing for a caller who has left before', () => {
    const drains = new Drains();
    const ended = begun(drains);
    ended.drain.end();
    ended.leave();
    jest.advanceTimersByTime(LONGEST_DRAIN_MS);
    expect(ended.drain.signal.aborted).toBe(false);
    expect(drains.for(contextOf(AbortSignal.abort(new Error('left')))).signal.aborted).toBe(true);
  });

  it('are cut when the process stops, and none begins then', async () => {
    const drains = new Drains();
    const [early, running, late] = [begun(drains), begun(drains), begun(drains)];
    early.leave();
    await drains.beforeApplicationShutdown();
    late.leave();
    expect([early, running, late].map(({ drain }) => drain.signal.aborted)).toEqual([
      ...[true, false, true],
    ]);
  });
});
