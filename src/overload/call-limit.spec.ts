import { describe, expect, it } from '@jest/globals';
import { CallLimit, type Look } from './call-limit.js';

const look = (seen: Partial<Look>): Look => ({
  ...{ lateMs: 0, busy: 0, flooded: false, running: 0, current: 0, pace: 0 },
  ...{ connections: 5_000, pressed: false },
  ...seen,
});

const limited = (): CallLimit => {
  const limit = new CallLimit();
  for (let index = 0; index < 12; index++) limit.see(look({ lateMs: 150, running: 1_000 }));
  return limit;
};

describe('CallLimit', () => {
  it('lets a burst pass that the process works off within three seconds', () => {
    const limit = new CallLimit();
    for (let index = 0; index < 40; index++) {
      limit.see(look({ lateMs: index % 12 === 11 ? 0 : 400, running: 5_000 }));
    }
    expect(limit.most).toBe(Infinity);
  });

  it('is a little less than what runs when the event loop stays late, and falls further', () => {
    const limit = limited();
    expect(limit.most).toBe(900);
    limit.see(look({ lateMs: 30, running: 900, pressed: true }));
    expect(limit.most).toBe(810);
  });

  describe('that begins when far more calls are there than the process can do', () => {
    const begun = () => {
      const limit = new CallLimit();
      for (let index = 0; index < 12; index++)
        limit.see(look({ lateMs: 2_000, running: 2_000, pace: 0.5 }));
      return limit;
    };
    const late = (lateMs: number, limit: CallLimit) =>
      look({ lateMs, running: limit.most, pace: 0.3, pressed: true });

    it('falls by half until the lateness is near, although fewer of them end meanwhile', () => {
      const limit = begun();
      expect([limit.most, limit.isClearing]).toEqual([1_800, true]);
      limit.see(late(2_200, limit));
      limit.see(late(251, limit));
      expect([limit.most, limit.isClearing]).toEqual([450, true]);
      limit.see(look({ lateMs: 250, running: limit.most, pace: 0.5, pressed: true }));
      expect([limit.most, limit.isClearing]).toEqual([225, false]);
      limit.see(look({ lateMs: 2_000, running: limit.most, pace: 0.5, pressed: true }));
      expect(limit.most).toBeCloseTo(202.5);
    });

    it('does so for two seconds: then it is not the calls that make it late', () => {
      const limit = begun();
      for (let index = 0; index < 8; index++) {
        expect(limit.isClearing).toBe(true);
        limit.see(late(2_000, limit));
      }
      expect([limit.most, limit.isClearing]).toEqual([20, false]);
      limit.see(late(2_000, limit));
      expect(limit.most).toBeCloseTo(22);
    });
  });

  it('rises while the loop is in time, and ends when nobody had to wait for five seconds', () => {
    const limit = limited();
    limit.see(look({ lateMs: 2, busy: 0.9, running: 900, pressed: true }));
    expect(limit.most).toBeCloseTo(990);
    for (let index = 0; index < 19; index++) limit.see(look({ lateMs: 2, running: 5 }));
    expect(limit.most).toBeLessThan(Infinity);
    limit.see(look({ lateMs: 2, running: 5 }));
    expect(limit.most).toBe(Infinity);
  });

  it('rises by half at a time when calls come that take less of the process', () => {
    const limit = limited();
    limit.see(look({ lateMs: 2, busy: 0.4, running: 900, pressed: true }));
    expect(limit.most).toBeCloseTo(1_350);
    limit.see(look({ lateMs: 30, busy: 0.4, running: 1_350, pressed: true }));
    expect(limit.most).toBeCloseTo(1_215);
  });

  it('falls no further while more calls run than it lets begin, as long streams do', () => {
    const limit = limited();
    for (let index = 0; index < 50; index++)
      limit.see(look({ lateMs: 150, running: 1_000, current: 1_000, pressed: true }));
    expect(limit.most).toBe(900);
    limit.see(look({ lateMs: 150, running: 1_000, current: 900, pressed: true }));
    expect(limit.most).toBe(810);
  });

  it('is none for few callers, unless the loop stands still', () => {
    const limit = new CallLimit();
    for (let index = 0; index < 50; index++)
      limit.see(look({ lateMs: 150, running: 200, connections: 200 }));
    expect(limit.most).toBe(Infinity);
    for (let index = 0; index < 12; index++)
      limit.see(look({ lateMs: 1_100, running: 60, connections: 60 }));
    expect(limit.most).toBe(54);
  });

  it('always leaves room for twenty calls', () => {
    const limit = limited();
    for (let index = 0; index < 50; index++)
      limit.see(look({ lateMs: 150, running: 20, pressed: true }));
    expect(limit.most).toBe(20);
  });

  it('does not fall further where that costs calls that could be served', () => {
    const limit = new CallLimit();
    for (let index = 0; index < 12; index++)
      limit.see(look({ lateMs: 150, running: 1_000, pace: 0.5 }));
    const late = { lateMs: 150, pressed: true };
    for (let index = 0; index < 3; index++)
      limit.see(look({ ...late, running: limit.most, pace: 0.45 }));
    expect(limit.most).toBeCloseTo(656, 0);
    limit.see(look({ ...late, running: limit.most, pace: 0.4 }));
    expect(limit.most).toBeCloseTo(722, 0);
    for (let index = 0; index < 50; index++)
      limit.see(look({ ...late, running: limit.most, pace: 0.3 }));
    expect(limit.most).toBe(1_000);
  });

  describe('while one account floods the others', () => {
    const flood = (seen: Partial<Look>) =>
      look({ flooded: true, connections: 50, pressed: true, running: 100, ...seen });
    const flooded = (): CallLimit => {
      const limit = new CallLimit();
      limit.see(flood({ busy: 0.9 }));
      limit.see(flood({ busy: 0.9 }));
      return limit;
    };

    it('begins within half a second, however few connections there are', () => {
      expect(flooded().most).toBe(50);
    });

    it('ends with the flood, for whose calls alone it was', () => {
      const limit = flooded();
      limit.see(look({ running: 100, pressed: true, busy: 0.9, lateMs: 30 }));
      expect(limit.most).toBe(Infinity);
    });

    it('is none as long as the process has time', () => {
      const limit = new CallLimit();
      for (let index = 0; index < 50; index++) limit.see(flood({ busy: index % 2 ? 0.9 : 0.6 }));
      expect(limit.most).toBe(Infinity);
    });

    it('falls by what the process is busier than it shall be, by half at most', () => {
      const limit = flooded();
      limit.see(flood({ busy: 0.4375, running: 60 }));
      expect(limit.most).toBeCloseTo(40, 1);
      limit.see(flood({ busy: 1, lateMs: 200, running: 50 }));
      expect(limit.most).toBeCloseTo(20, 1);
      limit.see(flood({ busy: 0.35 }));
      expect(limit.most).toBeCloseTo(22, 1);
    });

    it('falls further than for load of which no account is the reason', () => {
      const limit = flooded();
      for (let index = 0; index < 20; index++) limit.see(flood({ busy: 1, running: 100 }));
      expect(limit.most).toBe(5);
    });
  });
});
