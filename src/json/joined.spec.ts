import { describe, expect, it } from '@jest/globals';
import { joined, joinSteps } from './joined.js';
import { LARGE_BYTES } from './time-sliced.js';

describe('joined', () => {
  it.each([0, 3, LARGE_BYTES - 1, LARGE_BYTES, 2 * LARGE_BYTES + 7])(
    'gives %i bytes in their order',
    async (length) => {
      const whole = Buffer.from(Array.from({ length }, (_, at) => at % 251));
      const pieces = [whole.subarray(0, 5), whole.subarray(5, 1_000), whole.subarray(1_000)];
      expect((await joined(pieces, length)).equals(whole)).toBe(true);
    },
  );
});

it('takes one piece in a step', () => {
  let taken = 0;
  const pieces = (function* () {
    for (; taken < 3; taken++) yield Buffer.of(taken);
  })();
  const steps = joinSteps(pieces, 3);
  expect([steps.next().done, taken, steps.next().done, taken]).toEqual([false, 0, false, 1]);
  steps.next();
  expect(steps.next()).toEqual({ done: true, value: Buffer.of(0, 1, 2) });
});
