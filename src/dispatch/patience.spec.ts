import { describe, expect, it } from '@jest/globals';
import { type Call } from './call.js';
import { beforeDeadline, pause } from './patience.js';

const TOTAL_MS = 20.4;

/** A call that has just come in. */
const begun = () => {
  const { signal } = new AbortController();
  return { context: { receivedAt: performance.now(), signal }, ends: signal } as Call;
};

describe('beforeDeadline', () => {
  it('leaves no time to another try when it cuts one', async () => {
    for (let round = 0; round < 25; round += 1) {
      const call = begun();
      const cut = beforeDeadline(call, TOTAL_MS, ({ ends }) => pause(60_000, ends));
      await expect(cut).rejects.toMatchObject({ status: 504 });
      let isAsked = false;
      const next = beforeDeadline(call, TOTAL_MS, () => Promise.resolve((isAsked = true)));
      await expect(next).rejects.toMatchObject({ status: 504 });
      expect(isAsked).toBe(false);
    }
  });
});
