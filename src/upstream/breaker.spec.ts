import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Breaker, PROVEN_MS } from './breaker.js';
import { type Permit } from './permit.js';
import { PROBE_MS } from './probes.js';
import { type Judge, type Verdict } from './verdict.js';

describe('Breaker', () => {
  let now: number;
  let breaker: Breaker;
  let told: string[];
  const open = (slowMs?: number) =>
    new Breaker({ now: () => now, slowMs, changed: (circuit) => told.push(circuit) });
  const admitted = (): Permit => {
    const permit = breaker.admit();
    if (!permit) throw new Error('no call is let through');
    return permit;
  };
  const call = (verdict: Verdict): void => {
    admitted().end(verdict);
  };
  const calls = (works: number, fails: number): void => {
    for (let index = 0; index < works; index++) call('works');
    for (let index = 0; index < fails; index++) call('fails');
  };
  /** A stream whose first event has come. */
  const stream = (): Permit => {
    const permit = admitted();
    permit.answered();
    return permit;
  };
  const streams = (count: number): Permit[] => Array.from({ length: count }, stream);
  const pass = (ms: number): void => {
    now += ms;
    jest.advanceTimersByTime(ms);
  };
  beforeEach(() => {
    jest.useFakeTimers();
    now = 1_000_000;
    told = [];
    breaker = open();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('keeps the place of the probe for who begins a call, however the time goes by', () => {
    calls(0, 20);
    pass(4_999);
    expect(breaker.turnsAway()).toBe(true);
    pass(1);
    expect([breaker.turnsAway(), breaker.turnsAway()]).toEqual([false, false]);
    call('works');
    expect(breaker.circuit).toBe('closed');
  });

  it('opens when half of twenty calls failed, and not before', () => {
    calls(10, 9);
    expect(breaker.circuit).toBe('closed');
    call('fails');
    expect([breaker.circuit, breaker.admit(), breaker.waitMs]).toEqual(['open', undefined, 5_000]);
    expect(told).toEqual(['open']);
  });

  let isServed: boolean;
  const judge: Judge = { verdict: (said) => said, isServed: () => isServed };
  const expectToOpenOnceUnserved = (): void => {
    breaker.hear({ calls: 30, failures: 30 });
    expect(breaker.circuit).toBe('closed');
    isServed = false;
    breaker.hear({ calls: 31, failures: 31 });
    expect(breaker.circuit).toBe('open');
  };

  it('does not open while a deployment serves the model, whatever others count', () => {
    isServed = true;
    for (let index = 0; index < 30; index++) breaker.admit(judge)?.end('fails');
    expectToOpenOnceUnserved();
  });

  it('does not open for what others count while its first call, a stream, still runs', () => {
    isServed = true;
    breaker.admit(judge)?.answered();
    expectToOpenOnceUnserved();
  });

  it('is open for as long as the failure that opened it asks, and five seconds at least', () => {
    calls(0, 19);
    admitted().end('fails', 40_000);
    expect([breaker.circuit, breaker.waitMs]).toEqual(['open', 40_000]);
    now += 40_000;
    admitted().end('fails', 1_000);
    expect(breaker.waitMs).toBe(5_000);
    now += 5_000;
    admitted().end('fails', 20_000);
    expect(breaker.waitMs).toBe(20_000);
  });

  it('does not open on few calls, on few failures, or on failures of long ago', () => {
    calls(0, 19);
    now += 10_000;
    calls(0, 19);
    expect(breaker.circuit).toBe('closed');
    now += 10_000;
    calls(51, 49);
    expect(breaker.circuit).toBe('closed');
  });

  it('opens by no call that works, however many of those before it have grown old', () => {
    calls(40, 0);
    now += 3_000;
    calls(0, 30);
    for (let second = 0; second < 8; second++) {
      now += 1_000;
      call('works');
      breaker.hear(undefined);
    }
    expect(breaker.totals).toMatchObject({ calls: 38, failures: 30 });
    breaker.hear({ calls: 20, failures: 0 });
    expect(breaker.circuit).toBe('closed');
    call('fails');
    expect(breaker.circuit).toBe('open');
  });

  it('opens by what has failed elsewhere since it heard of that', () => {
    breaker.hear({ calls: 40, failures: 19 });
    calls(1, 0);
    breaker.hear({ calls: 20, failures: 19 });
    expect(breaker.circuit).toBe('closed');
    breaker.hear({ calls: 21, failures: 20 });
    expect(breaker.circuit).toBe('open');
  });

  it('does not count calls that their callers left', () => {
    for (let index = 0; index < 100; index++) call('neither');
    calls(0, 19);
    expect(breaker.circuit).toBe('closed');
  });

  it('lets one probe through after five seconds, which closes it when it works', () => {
    calls(0, 20);
    now += 4_999;
    expect(breaker.admit()).toBeUndefined();
    now += 1;
    expect(breaker.circuit).toBe('half_open');
    const probe = admitted();
    expect([breaker.admit(), breaker.admit()]).toEqual([undefined, undefined]);
    expect([breaker.circuit, breaker.isShut]).toEqual(['half_open', true]);
    probe.end('works');
    expect([breaker.circuit, told]).toEqual(['closed', ['open', 'closed']]);
    calls(2, 0);
  });

  it('opens again for five seconds when the probe fails', () => {
    calls(0, 20);
    now += 5_000;
    call('fails');
    expect([breaker.circuit, breaker.waitMs, told]).toEqual(['open', 5_000, ['open', 'open']]);
  });

  describe('whose probe hangs', () => {
    let hangs: Permit;
    beforeEach(() => {
      calls(0, 20);
      pass(5_000);
      hangs = admitted();
      pass(PROBE_MS - 1);
      expect([breaker.isShut, breaker.admit(), breaker.claim]).toEqual([true, undefined, 'probes']);
      pass(1);
      expect([breaker.isShut, breaker.claim]).toEqual([false, 'asks']);
    });

    it('lets one other through, and no more', () => {
      const other = admitted();
      expect(breaker.admit()).toBeUndefined();
      other.end('works');
      expect(breaker.circuit).toBe('closed');
    });

    it.each([
      ['works', 'closed'],
      ['fails', 'open'],
    ] as const)('takes it for one all the same when it %s in the end', (verdict, circuit) => {
      admitted();
      hangs.end(verdict);
      expect(breaker.circuit).toBe(circuit);
      // What the other one says is of a time that is over, or one word among many.
      pass(5_000);
      expect(breaker.circuit).toBe(circuit === 'open' ? 'half_open' : 'closed');
    });

    it('lets one run beside the other one when it is left', () => {
      const other = admitted();
      hangs.end('neither');
      const beside = admitted();
      expect(breaker.admit()).toBeUndefined();
      beside.end('works');
      other.end('fails');
      expect(breaker.circuit).toBe('closed');
    });

    it('is proven once by two streams', () => {
      const other = stream();
      hangs.answered();
      pass(PROVEN_MS);
      expect([breaker.circuit, told]).toEqual(['closed', ['open', 'closed']]);
      other.end('works');
      expect(told).toEqual(['open', 'closed']);
    });

    it('is not proven by a stream that was left, but waits for the other one', () => {
      const other = admitted();
      hangs.answered();
      pass(PROVEN_MS / 2);
      hangs.end('neither');
      pass(PROVEN_MS);
      expect([breaker.circuit, told]).toEqual(['half_open', ['open']]);
      other.end('fails');
      expect([breaker.circuit, told]).toEqual(['open', ['open', 'open']]);
    });

    it('is not proven by a stream whose circuit has been opened since', () => {
      hangs.answered();
      pass(PROVEN_MS / 2);
      call('fails');
      pass(PROVEN_MS);
      expect([breaker.circuit, told]).toEqual(['open', ['open', 'open']]);
    });
  });

  it('gives another call the probe of one that was left', () => {
    calls(0, 20);
    now += 5_000;
    call('neither');
    expect(breaker.circuit).toBe('half_open');
    call('works');
    expect(breaker.circuit).toBe('closed');
  });

  it('lets one more run at once for each probe that was left, until it opens again', () => {
    calls(0, 20);
    now += 5_000;
    const inVain = (): number => {
      const probes: Permit[] = [];
      for (let probe = breaker.admit(); probe; probe = breaker.admit()) probes.push(probe);
      for (const probe of probes) probe.end('neither');
      return probes.length;
    };
    expect([inVain(), inVain(), inVain(), inVain()]).toEqual([1, 2, 4, 8]);
    for (let time = 0; time < 10; time++) inVain();
    expect(inVain()).toBe(256);
    admitted();
    call('fails');
    now += 5_000;
    expect(inVain()).toBe(1);
    // One that comes now is served, however many leave.
    admitted();
    call('works');
    expect(breaker.circuit).toBe('closed');
  });

  it.each(['fails', 'works', 'neither'] as const)(
    'is not judged by an old call that says %s, whatever has become of the circuit',
    (verdict) => {
      const old = Array.from({ length: 60 }, admitted);
      const twenty = () => {
        for (const permit of old.splice(0, 20)) permit.end(verdict);
      };
      calls(0, 20);
      twenty();
      expect([breaker.circuit, breaker.waitMs]).toEqual(['open', 5_000]);
      now += 5_000;
      const probe = admitted();
      twenty();
      expect([breaker.circuit, breaker.admit()]).toEqual(['half_open', undefined]);
      probe.end('works');
      twenty();
      expect([breaker.circuit, breaker.totals.calls]).toEqual(['closed', 0]);
    },
  );

  it('starts anew once it has closed', () => {
    calls(0, 20);
    now += 5_000;
    call('works');
    calls(0, 19);
    expect(breaker.circuit).toBe('closed');
  });

  it('takes the first word of a call only', () => {
    const permits = Array.from({ length: 19 }, admitted);
    for (const permit of [...permits, ...permits]) permit.end('fails');
    expect(breaker.circuit).toBe('closed');
    call('fails');
    expect(breaker.circuit).toBe('open');
  });

  describe('of streams', () => {
    it('counts them as they end, however they began', () => {
      const all = streams(20);
      expect(breaker.totals).toEqual({ calls: 20, failures: 0, p50Ms: 0 });
      pass(2_000);
      for (const one of all.slice(0, 9)) one.end('fails');
      for (const one of all.slice(9, 10)) one.end('works');
      expect([breaker.totals.calls, breaker.circuit]).toEqual([20, 'closed']);
      all[10]?.end('fails');
      expect(breaker.circuit).toBe('open');
    });

    it('counts one that breaks late among the calls of that time', () => {
      const all = streams(20);
      pass(60_000);
      expect(breaker.totals.calls).toBe(0);
      for (const one of all.slice(1)) one.end('fails');
      expect(breaker.totals).toEqual({ calls: 19, failures: 19, p50Ms: null });
      all[0]?.end('fails');
      expect(breaker.circuit).toBe('open');
    });

    it('takes back those that were left by their callers', () => {
      for (const one of streams(30)) one.end('neither');
      expect(breaker.totals.calls).toBe(0);
      calls(0, 19);
      expect(breaker.circuit).toBe('closed');
    });

    it('closes by a probe that has answered for a second, and counts how it ends', () => {
      calls(0, 20);
      pass(5_000);
      const probe = stream();
      pass(PROVEN_MS - 1);
      expect(breaker.circuit).toBe('half_open');
      pass(1);
      expect([breaker.circuit, told]).toEqual(['closed', ['open', 'closed']]);
      probe.end('fails');
      expect(breaker.totals).toMatchObject({ calls: 1, failures: 1 });
      expect(breaker.circuit).toBe('closed');
    });

    it.each([
      ['works', 'closed'],
      ['fails', 'open'],
      ['neither', 'half_open'],
    ] as const)('judges a probe by its end when it soon %s', (verdict, circuit) => {
      calls(0, 20);
      pass(5_000);
      const probe = stream();
      pass(PROVEN_MS / 2);
      probe.end(verdict);
      expect(breaker.circuit).toBe(circuit);
      // What it began is over.
      pass(PROVEN_MS);
      expect(breaker.circuit).toBe(circuit);
    });

    it('does not stay shut by a probe whose end nobody tells', () => {
      calls(0, 20);
      pass(5_000);
      stream();
      pass(60_000);
      expect(breaker.circuit).toBe('closed');
    });
  });

  describe('with a limit to the latency', () => {
    beforeEach(() => {
      breaker = open(200);
    });
    const answer = (ms: number, verdict: Verdict = 'works'): void => {
      const permit = admitted();
      now += ms;
      permit.end(verdict);
    };

    it('opens when half of the answers were slower', () => {
      for (let index = 0; index < 10; index++) {
        answer(200);
        answer(201);
      }
      expect(breaker.circuit).toBe('open');
    });

    it('judges a stream by its first event, however long it takes', () => {
      for (let index = 0; index < 20; index++) {
        const permit = stream();
        now += 400;
        permit.end('works');
      }
      expect([breaker.circuit, breaker.totals.p50Ms]).toEqual(['closed', 0]);
      now += 10_000;
      const late = Array.from({ length: 20 }, admitted);
      now += 201;
      for (const permit of late) permit.answered();
      expect(breaker.circuit).toBe('open');
    });

    it('counts callers who gave up after it', () => {
      for (let index = 0; index < 20; index++) answer(100, 'neither');
      expect(breaker.totals.calls).toBe(0);
      const left = Array.from({ length: 20 }, admitted);
      now += 1_000;
      for (const permit of left) permit.end('neither');
      expect(breaker.circuit).toBe('open');
    });

    it('takes no time into account that a refusal took', () => {
      const slow = Array.from({ length: 20 }, admitted);
      pass(2_001);
      for (const permit of slow) permit.end('refuses');
      expect([breaker.circuit, breaker.totals.failures]).toEqual(['closed', 0]);
      calls(0, 20);
      pass(5_000);
      const probe = admitted();
      pass(2_001);
      probe.end('refuses');
      expect(breaker.circuit).toBe('closed');
    });

    it('opens again when the probe is slow', () => {
      const slow = Array.from({ length: 20 }, admitted);
      now += 201;
      for (const permit of slow) permit.end('works');
      now += 5_000;
      const probe = admitted();
      now += 201;
      probe.answered();
      expect([breaker.circuit, breaker.waitMs]).toEqual(['open', 5_000]);
    });
  });

  it('tells calls, failures and the median latency of the last ten seconds', () => {
    for (const ms of [10, 20, 300]) {
      const permit = admitted();
      now += ms;
      permit.end('works');
    }
    call('fails');
    expect(breaker.totals).toEqual({ calls: 4, failures: 1, p50Ms: 20 });
    now += 10_000;
    expect(breaker.totals).toEqual({ calls: 0, failures: 0, p50Ms: null });
  });

  it('still tells what has opened it', () => {
    calls(0, 20);
    expect(breaker.totals).toMatchObject({ calls: 20, failures: 20 });
  });

  describe('that shares what it finds', () => {
    it('follows another process, keeps the longer of two times and holds on a little', () => {
      breaker.follow(5_000);
      now += 1_000;
      breaker.follow(1_000);
      expect([breaker.circuit, breaker.waitMs]).toEqual(['open', 4_000]);
      now += 4_000;
      breaker.follow(0);
      now += 1_999;
      expect([breaker.circuit, breaker.isShut]).toEqual(['half_open', true]);
      // Nobody says any more that another one probes.
      now += 1;
      expect([breaker.circuit, breaker.isShut]).toEqual(['half_open', false]);
      expect(told).toEqual([]);
    });

    it('is not opened by what waits for its probe elsewhere', () => {
      breaker.follow(0);
      expect(breaker.circuit).toBe('closed');
    });

    it('asks for the probe where it has callers, and lets it through when it has the lease', () => {
      breaker.follow(5_000);
      expect(breaker.claim).toBeUndefined();
      breaker.admit();
      expect(breaker.claim).toBe('asks');
      now += 4_500;
      breaker.follow(500);
      breaker.lease();
      expect([breaker.circuit, breaker.claim]).toEqual(['open', 'keeps']);
      now += 500;
      expect(breaker.circuit).toBe('half_open');
      const probe = admitted();
      expect(breaker.claim).toBe('probes');
      // The end of the probe is what counts, not a word that is older.
      breaker.follow(3_000);
      probe.end('neither');
      expect([breaker.circuit, breaker.claim]).toEqual(['half_open', 'shares']);
      call('works');
      expect([breaker.circuit, breaker.claim, told]).toEqual(['closed', undefined, ['closed']]);
    });

    it('shares the lease while it probes when a probe was left, and follows what came of others', () => {
      calls(0, 20);
      now += 5_000;
      breaker.lease();
      call('neither');
      const probe = admitted();
      expect(breaker.claim).toBe('shares');
      // What waits for its probe elsewhere.
      breaker.follow(0);
      expect(breaker.claim).toBe('shares');
      breaker.follow(5_000);
      expect([breaker.circuit, breaker.claim]).toEqual(['open', 'asks']);
      probe.end('works');
      expect(breaker.circuit).toBe('open');
    });

    it('asks for the probe no longer than it has callers', () => {
      calls(0, 20);
      now += 7_000;
      expect(breaker.claim).toBe('asks');
      now += 1;
      breaker.follow(5_000);
      expect(breaker.claim).toBeUndefined();
      breaker.turnsAway();
      expect(breaker.claim).toBe('asks');
      now += 5_000;
      breaker.lease();
      const slow = admitted();
      now += 9_000;
      slow.end('fails');
      now += 5_000;
      expect(breaker.claim).toBe('asks');
    });

    it('has callers where it was called before another process opened the circuit', () => {
      calls(1, 0);
      now += 2_000;
      breaker.follow(5_000);
      expect(breaker.claim).toBe('asks');
    });

    it('counts a late probe while the lease is still its process’s, and not when it is another’s', () => {
      calls(0, 20);
      now += 5_000;
      breaker.lease();
      const late = admitted();
      now += PROBE_MS + 2_000;
      expect(breaker.claim).toBe('keeps');
      breaker.lease();
      late.end('works');
      expect(breaker.circuit).toBe('closed');

      calls(0, 20);
      now += 5_000;
      const later = admitted();
      now += PROBE_MS;
      breaker.follow(0);
      later.end('works');
      expect([breaker.circuit, breaker.isShut]).toEqual(['half_open', true]);
    });

    it('gives way when another one has the lease', () => {
      calls(0, 20);
      breaker.lease();
      now += 5_000;
      expect(breaker.circuit).toBe('half_open');
      breaker.follow(0);
      expect([breaker.circuit, breaker.isShut, breaker.claim]).toEqual(['half_open', true, 'asks']);
    });

    it('closes when the probe of another one has worked, and says nothing of it', () => {
      calls(0, 20);
      now += 6_000;
      breaker.followClosing(300);
      expect([breaker.circuit, told]).toEqual(['closed', ['open']]);
      calls(0, 19);
      expect(breaker.circuit).toBe('closed');
    });

    it('stays open where its own calls have failed since another one’s probe worked', () => {
      calls(0, 20);
      now += 800;
      breaker.followClosing(900);
      expect([breaker.circuit, breaker.totals.failures]).toEqual(['open', 20]);
      now += 4_200;
      admitted().end('fails');
      now += 100;
      breaker.followClosing(200);
      expect(breaker.circuit).toBe('open');
      breaker.followClosing(50);
      expect(breaker.circuit).toBe('closed');
    });
  });

  describe('beside what other processes counted', () => {
    it('opens by all calls together, and forgets those of others when it closes', () => {
      calls(4, 3);
      breaker.hear({ calls: 12, failures: 6 });
      expect(breaker.circuit).toBe('closed');
      call('fails');
      expect([breaker.circuit, told]).toEqual(['open', ['open']]);
      now += 1;
      breaker.followClosing(0);
      calls(0, 19);
      expect(breaker.circuit).toBe('closed');
    });

    it('opens when it hears of enough, but not where nobody called from here', () => {
      breaker.hear({ calls: 30, failures: 30 });
      expect([breaker.circuit, breaker.news]).toEqual(['closed', undefined]);
      breaker.hear(undefined);
      calls(4, 4);
      breaker.hear({ calls: 12, failures: 6 });
      expect([breaker.circuit, told]).toEqual(['open', ['open']]);
    });

    it('opens by its own failures, however well others do', () => {
      breaker.hear({ calls: 1_000, failures: 1 });
      calls(0, 20);
      expect(breaker.circuit).toBe('open');
    });

    it('has news while it or another one has failures, and its circuit is closed', () => {
      calls(3, 0);
      expect(breaker.news).toBeUndefined();
      breaker.hear({ calls: 2, failures: 1 });
      expect(breaker.news).toEqual({ calls: 3, failures: 0 });
      breaker.hear(undefined);
      call('fails');
      expect(breaker.news).toEqual({ calls: 4, failures: 1 });
      now += 10_000;
      expect(breaker.news).toBeUndefined();
      calls(0, 20);
      expect(breaker.news).toBeUndefined();
    });
  });
});
