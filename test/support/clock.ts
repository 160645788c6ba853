import { afterEach, beforeEach, jest } from '@jest/globals';

/** A clock that stands still until a test moves it, from 0 ms at the beginning of each test. */
export function useStillClock(): { now: number } {
  const clock = { now: 0 };
  beforeEach(() => {
    clock.now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => clock.now);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  return clock;
}

/**
 * Makes the clock go on at once by so many ms, for all that is in this suite's process: what waits by it
 * is over then, and timers are not. To be used while no call runs, which would seem to have taken so long.
 */
export function moveClock(ms: number): void {
  const { performance: clock } = globalThis;
  const now = (): number => clock.now() + ms;
  // Only for this suite: Jest itself has the same one.
  globalThis.performance = new Proxy(clock, {
    get: (target, name) => {
      if (name === 'now') return now;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
