import { describe, expect, it } from '@jest/globals';
import { useStillClock } from '../../test/support/clock.js';
import { type Attempt } from '../contract/usage-record.js';
import { TrackRecord } from './track-record.js';

const answered = (ms: number): Attempt[] => [{ model: 'a/b', provider: 'a', status: 200, ms }];

describe('TrackRecord', () => {
  const clock = useStillClock();

  it('knows the mean of the last answers, streamed ones apart', () => {
    const record = new TrackRecord();
    record.note(answered(1000), false);
    record.note(answered(2000), false);
    expect(record.latencyMs('a/b', false)).toBe(1200);
    expect(record.latencyMs('a/b', true)).toBeNull();
  });

  it('forgets an answer after some minutes in which no other came', () => {
    const record = new TrackRecord();
    record.note(answered(60_000), false);
    clock.now = 4 * 60_000;
    expect(record.latencyMs('a/b', false)).toBe(60_000);
    clock.now = 5 * 60_000;
    expect(record.latencyMs('a/b', false)).toBeNull();
    record.note(answered(500), false);
    expect(record.latencyMs('a/b', false)).toBe(500);
  });

  describe('of a model that fails', () => {
    const ended = (status: number, more: Partial<Attempt> = {}): Attempt[] => [
      { model: 'a/b', provider: 'a', status, ms: 1, ...more },
    ];
    const SECOND = 1_000;
    /** A record of requests that ended so, one each so many milliseconds. */
    const after = (everyMs: number, ...endings: readonly Attempt[][]): TrackRecord => {
      const record = new TrackRecord();
      for (const attempts of endings) {
        clock.now += everyMs;
        record.ask('a/b');
        record.note(attempts, false);
      }
      return record;
    };

    it.each([0, 401, 402, 403, 404, 408, 429, 500, 503, 529])(
      'says so after three requests in ten seconds that ended with %i',
      (status) => {
        const three = [ended(status), ended(status), ended(status)];
        expect(after(6 * SECOND, ...three).isFailing('a/b')).toBe(true);
        expect(after(6 * SECOND, ...three.slice(1)).isFailing('a/b')).toBe(false);
        expect(after(3 * SECOND, ...three).isFailing('a/b')).toBe(false);
      },
    );

    it.each([
      ['answers', ended(200)],
      ['refuses a request for what it is', ended(400)],
    ])('does not when it %s in between', (_, between) => {
      const endings = [ended(500), ended(500), between, ended(500), ended(500)];
      expect(after(6 * SECOND, ...endings).isFailing('a/b')).toBe(false);
    });

    it.each([
      ['was cut', ended(0, { cancelled: true })],
      ['was not made', ended(503, { circuit: 'open' })],
    ])('does not count a try that %s', (_, attempts) => {
      const record = after(6 * SECOND, attempts, attempts, attempts, attempts);
      expect(record.isFailing('a/b')).toBe(false);
    });

    it('counts a request once, however often it was tried again', () => {
      const again = [...ended(429), ...ended(429), ...ended(429)];
      expect(after(11 * SECOND, again, again).isFailing('a/b')).toBe(false);
      expect(after(11 * SECOND, again, [...again, ...ended(200)], again).isFailing('a/b')).toBe(
        false,
      );
    });

    it('has one request ask it again in as long as it has failed, half a minute at least', () => {
      const record = after(6 * SECOND, ended(500), ended(500), ended(500));
      clock.now += 29 * SECOND;
      expect(record.isFailing('a/b')).toBe(true);
      clock.now += 1 * SECOND;
      expect(record.isFailing('a/b')).toBe(false);
      record.ask('a/b');
      expect(record.isFailing('a/b')).toBe(true);
      record.note(ended(500), false);
      // It has failed for 42 seconds.
      clock.now += 41 * SECOND;
      expect(record.isFailing('a/b')).toBe(true);
      clock.now += 1 * SECOND;
      expect(record.isFailing('a/b')).toBe(false);
    });

    it('has it asked again every five minutes, however long it has failed', () => {
      const record = after(5 * 60 * SECOND, ...Array<Attempt[]>(20).fill(ended(500)));
      clock.now += 5 * 60 * SECOND - 1;
      expect(record.isFailing('a/b')).toBe(true);
      clock.now += 1;
      expect(record.isFailing('a/b')).toBe(false);
    });

    it('does no more when it has answered', () => {
      const record = after(6 * SECOND, ended(500), ended(500), ended(500), ended(200));
      expect(record.isFailing('a/b')).toBe(false);
    });
  });
});
