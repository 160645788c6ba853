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
