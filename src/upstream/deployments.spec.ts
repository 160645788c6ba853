import { beforeEach, describe, expect, it } from '@jest/globals';
import { buffer } from 'node:stream/consumers';
import { GatewayError } from '../contract/gateway-error.js';
import { type Deployment } from '../providers/deployment.js';
import { type ProviderConnection } from '../providers/provider.js';
import { type IncomingAnswer } from '../providers/transport.js';
import { type Verdict } from './verdict.js';
import { Deployments } from './deployments.js';
import { readRefusal } from './read-reply.js';

const baseUrl = new URL('https://provider.test/v1');
const [one, two, three] = [1, 1, 2].map((weight, at) => ({
  baseUrl,
  apiKey: `k${at}`,
  weight,
})) as [Deployment, Deployment, Deployment];
const connectionTo = (...deployments: Deployment[]) =>
  ({ baseUrl, apiKey: deployments[0]?.apiKey, deployments }) as unknown as ProviderConnection;
const both = connectionTo(one, two);
const failure = (status: number, retryAfter?: number) =>
  new GatewayError(502, 'upstream_error', 'No.', {
    upstream: { status },
    ...(retryAfter !== undefined && { retryAfter }),
  });
const notCalled = new GatewayError(503, 'provider_unavailable', 'Failing', {
  retryAfter: 5,
  upstream: { status: 503, circuit: 'open' },
});
const unreached = new GatewayError(502, 'upstream_error', 'No.', {
  upstream: { status: 0, unsent: true },
});
const signal = new AbortController().signal;

/** An answer whose body ends when it is told to. */
function answering() {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const body = (async function* () {
    yield Buffer.from('a');
    await promise;
  })();
  const send = () => Promise.resolve<IncomingAnswer>({ status: 200, headers: {}, body });
  return { send, end: resolve };
}

async function read(body: AsyncIterable<Buffer>): Promise<void> {
  await buffer(body);
}

describe('Deployments', () => {
  it('chooses nothing where there is one way', () => {
    expect(new Deployments().choose(connectionTo(one))).toBeUndefined();
    expect(new Deployments().choose({} as ProviderConnection)).toBeUndefined();
  });

  it('have to be waited for until the first of them is free, whichever was asked last', () => {
    const deployments = new Deployments(() => 0);
    const told = (error: GatewayError): unknown => {
      const soonest = deployments.soonest(both, error);
      return soonest instanceof GatewayError && soonest.details.retryAfter;
    };
    deployments.report(one, failure(429, 2));
    deployments.report(two, failure(429, 9));
    expect(told(failure(429, 9))).toBe(2);
    expect(told(failure(429, 1))).toBe(1);
    expect(told(notCalled)).toBe(5);
    expect(told(failure(500, 9))).toBe(9);
  });

  it('have to be waited for without those that lack the model', () => {
    const deployments = new Deployments(() => 0);
    const limit = failure(429, 20);
    deployments.report(one, limit);
    deployments.report(two, failure(404), 'm');
    expect(deployments.soonest(both, limit, 'm')).toBe(limit);
    expect(deployments.soonest(both, limit, 'other')).toMatchObject({ details: { retryAfter: 1 } });
    deployments.report(one, failure(404), 'm');
    expect(deployments.soonest(both, limit, 'm')).toMatchObject({ details: { retryAfter: 1 } });
  });

  it('spreads calls by weight', () => {
    let at = 0;
    const deployments = new Deployments(
      () => 0,
      () => (at++ % 100) / 100,
    );
    const counts = new Map<Deployment | undefined, number>();
    for (let index = 0; index < 400; index++) {
      const chosen = deployments.choose(connectionTo(one, two, three));
      counts.set(chosen, (counts.get(chosen) ?? 0) + 1);
    }
    expect([one, two, three].map((each) => counts.get(each))).toEqual([100, 100, 200]);
  });

  it('takes the one with the fewest calls for its weight until their answers are read', async () => {
    const deployments = new Deployments();
    const all = connectionTo(one, three);
    const { send, end } = answering();
    const { body } = await deployments.through(three, all, send, signal);
    const reading = read(body);
    await deployments.through(three, all, answering().send, signal);
    expect(deployments.choose(all)).toBe(one);
    await deployments.through(one, all, answering().send, signal);
    end(undefined);
    await reading;
    // One call of weight one is more than one of weight two.
    expect(deployments.choose(all)).toBe(three);
  });

  it('knows when an answer has been read', async () => {
    const deployments = new Deployments();
    const { send, end } = answering();
    const { body } = await deployments.through(one, both, send, signal);
    const reading = read(body);
    expect(deployments.choose(both)).toBe(two);
    await deployments.through(two, both, answering().send, signal);
    end(undefined);
    await reading;
    expect(deployments.choose(both)).toBe(one);
  });

  it('is freed by a failure, and by a caller who leaves before the answer is read', async () => {
    const deployments = new Deployments();
    const broken = () => Promise.reject(new Error('no'));
    await expect(deployments.through(one, both, broken, signal)).rejects.toThrow('no');
    const leaving = new AbortController();
    await deployments.through(one, both, answering().send, leaving.signal);
    leaving.abort();
    await deployments.through(two, both, answering().send, signal);
    expect(deployments.choose(both)).toBe(one);
  });

  it.each([
    [
      'that hangs, when nobody waits for its end any more',
      (answer: IncomingAnswer) => readRefusal({ ...answer, status: 429 }, 20),
    ],
    [
      'of which nobody has read a piece',
      ({ body }: IncomingAnswer) => body[Symbol.asyncIterator]().return?.(),
    ],
  ])('is freed by an answer %s', async (_, leave) => {
    const deployments = new Deployments();
    const answer = await deployments.through(one, both, answering().send, signal);
    expect(deployments.states(both)).toMatchObject([{ running: 1 }, { running: 0 }]);
    await leave(answer);
    expect(deployments.states(both)).toMatchObject([{ running: 0 }, { running: 0 }]);
  });

  it('sends by the deployment’s own address and key', async () => {
    const other = { ...two, baseUrl: new URL('https://other.test/v1') };
    const seen: unknown[] = [];
    const send = (via: ProviderConnection) => {
      seen.push(via.baseUrl.host, via.apiKey);
      return answering().send();
    };
    await new Deployments().through(other, both, send, signal);
    await new Deployments().through(undefined, both, send, signal);
    expect(seen).toEqual(['other.test', 'k1', 'provider.test', 'k0']);
  });

  it.each([
    [failure(429, 7), 7_000],
    [failure(429, 3_600), 60_000],
    [failure(429), 1_000],
    [failure(429, 0), 1_000],
    [failure(503, 0.2), 1_000],
    [failure(401), 60_000],
    [failure(403), 60_000],
    [failure(503, 9), 9_000],
    [failure(529, 9), 9_000],
    [unreached, 5_000],
  ])('spares one for a while after %s (%i ms), and no longer', (error, ms) => {
    let now = 0;
    const deployments = new Deployments(
      () => now,
      () => 0,
    );
    deployments.report(one, error);
    now = ms - 1;
    expect(deployments.choose(both)).toBe(two);
    now = ms;
    expect(deployments.choose(both)).toBe(one);
  });

  it.each([[failure(500)], [failure(503)], [failure(400)], [new Error('bug')], [notCalled]])(
    'does not hold %s against the key',
    (error) => {
      const deployments = new Deployments(
        () => 0,
        () => 0,
      );
      deployments.report(one, error);
      expect(deployments.choose(both)).toBe(one);
    },
  );

  it('tell other processes what the provider answered, where that is news, and follow them', () => {
    const told: unknown[] = [];
    let theirMs = 0;
    const deployments = new Deployments(
      () => 0,
      () => 0,
      {
        restMs: (deployment) => (deployment === two ? theirMs : 0),
        note: (deployment, ms) => told.push([deployment.apiKey, ms]),
      },
    );
    for (const error of [failure(429), unreached, failure(429, 7), failure(429, 7), failure(500)]) {
      deployments.report(one, error);
    }
    expect(told).toEqual([['k0', 7_000]]);
    for (let count = 0; count < 5; count++) deployments.judge(two, 'fails', both);
    deployments.report(one, failure(429, 8.5));
    theirMs = 40_000;
    deployments.report(two, failure(503, 40));
    expect(told).toEqual([
      ['k0', 7_000],
      ['k0', 8_500],
    ]);
    expect(deployments.choose(both)).toBe(one);
    expect(deployments.states(both).map(({ restMs }) => restMs)).toEqual([8_500, 40_000]);
    theirMs = 0;
    expect(deployments.choose(connectionTo(two, three))).toBe(three);
  });

  it('spares one twice as long each time that it still cannot be reached, and proves it by one call', async () => {
    let now = 0;
    const deployments = new Deployments(
      () => now,
      () => 0,
    );
    const restMs = () => deployments.states(both)[0]!.restMs;
    deployments.report(one, unreached);
    // Those that were on their way with it.
    deployments.report(one, unreached);
    expect(restMs()).toBe(5_000);
    now = 5_000;
    deployments.report(one, unreached);
    expect(restMs()).toBe(10_000);
    now = 15_000;
    const answer = Promise.withResolvers<never>();
    const proof = deployments.through(
      one,
      both,
      () => answer.promise,
      new AbortController().signal,
    );
    expect(deployments.choose(both)).toBe(two);
    expect(deployments.choose(both, new Set([two]))).toBe(one);
    answer.reject(unreached);
    await expect(proof).rejects.toBe(unreached);
    expect(deployments.choose(both)).toBe(one);
  });

  it('proves one that could not be reached by a call that begins then, whatever runs from before', async () => {
    let now = 0;
    const deployments = new Deployments(
      () => now,
      () => 0,
    );
    const old = () => deployments.through(one, both, answering().send, signal);
    await old();
    deployments.report(one, unreached);
    await deployments.through(two, both, answering().send, signal);
    now = 5_000;
    expect(deployments.choose(both)).toBe(one);
    const { promise, reject } = Promise.withResolvers<never>();
    const proof = deployments.through(one, both, () => promise, signal);
    const leaving = new AbortController();
    const beside = deployments.through(one, both, () => promise, leaving.signal);
    leaving.abort();
    for (let count = 0; count < 3; count++)
      await deployments.through(two, both, answering().send, signal);
    expect(deployments.choose(both)).toBe(two);
    reject(unreached);
    await expect(Promise.allSettled([proof, beside])).resolves.toHaveLength(2);
    expect(deployments.choose(both)).toBe(one);
    await old();
    await old();
    for (let count = 0; count < 3; count++)
      await deployments.through(two, both, answering().send, signal);
    expect(deployments.choose(both)).toBe(one);
  });

  it('asks one for no model that it does not have, while another may have it', () => {
    let now = 0;
    const deployments = new Deployments(
      () => now,
      () => 0,
    );
    const rests = () => deployments.states(both).map(({ restMs }) => restMs);
    deployments.report(one, failure(404), 'm');
    deployments.report(one, failure(404));
    expect(rests()).toEqual([60_000, 0]);
    expect(deployments.choose(both, undefined, 'm')).toBe(two);
    expect(deployments.choose(both, undefined, 'other')).toBe(one);
    expect(deployments.hasAnother(both, new Set([two]), 'm')).toBe(false);
    expect(deployments.hasAnother(both, new Set([two]), 'other')).toBe(true);
    deployments.report(two, failure(404), 'm');
    expect(deployments.choose(both, undefined, 'm')).toBe(one);
    expect(deployments.hasAnother(both, new Set([one]), 'm')).toBe(false);
    now = 60_000;
    expect(rests()).toEqual([0, 0]);
    expect(deployments.choose(both, new Set([two]), 'm')).toBe(one);
    const said = (message: string) =>
      new GatewayError(404, 'model_not_found', message, { upstream: { status: 404 } });
    for (const missing of ['File not found: file_1', 'Container with id c not found.']) {
      deployments.report(one, said(missing), 'm');
      expect(deployments.choose(both, new Set([two]), 'm')).toBe(one);
    }
    deployments.report(one, said('The model `m` does not exist, nor a response of it.'), 'm');
    expect(deployments.choose(both, undefined, 'm')).toBe(two);
  });

  describe('that fail again and again', () => {
    let now: number;
    let deployments: Deployments;
    const judged = (one: Deployment, ...verdicts: Verdict[]) => {
      return verdicts.map((verdict) => deployments.judge(one, verdict, both));
    };
    const four = ['fails', 'fails', 'fails', 'fails'] as const;
    beforeEach(() => {
      now = 0;
      deployments = new Deployments(
        () => now,
        () => 0,
      );
    });

    it('rest for five seconds after five failures in a row, and twice as long after each that follows', () => {
      judged(one, ...four);
      expect(deployments.choose(both)).toBe(one);
      judged(one, 'neither', 'fails');
      expect(deployments.choose(both)).toBe(two);
      now = 4_999;
      expect(deployments.choose(both)).toBe(two);
      now = 5_000;
      expect(deployments.choose(both)).toBe(one);
      judged(one, 'fails');
      now = 14_999;
      expect(deployments.choose(both)).toBe(two);
      now = 15_000;
      expect(deployments.choose(both)).toBe(one);
      for (const [at, ms] of [
        [15_000, 20_000],
        [35_000, 40_000],
        [75_000, 60_000],
        [135_000, 60_000],
      ] as const) {
        now = at;
        judged(one, 'fails');
        now = at + ms - 1;
        expect(deployments.choose(both)).toBe(two);
        now = at + ms;
        expect(deployments.choose(both)).toBe(one);
      }
    });

    it('rest no longer for those that were in flight when the rest began, of whatever model', () => {
      const many = Array.from({ length: 20 }, () => 'fails' as const);
      expect(judged(one, ...many).slice(4)).toEqual(many.slice(4).map(() => 'neither'));
      expect(deployments.states(both)[0]).toMatchObject({ restMs: 5_000 });
      now = 4_000;
      judged(one, 'fails');
      expect(deployments.states(both)[0]).toMatchObject({ restMs: 1_000 });
      deployments.judge(one, 'fails', both, 'other');
      expect(deployments.states(both)[0]).toMatchObject({ restMs: 10_000 });
      deployments.judge(one, 'fails', both, 'third');
      expect(deployments.states(both)[0]).toMatchObject({ restMs: 10_000 });
    });

    it('say nothing more of the model then, while another one works', () => {
      judged(two, 'works');
      expect(judged(one, ...four, 'fails', 'fails')).toEqual([...four, 'neither', 'neither']);
      judged(two, 'fails');
      expect(judged(one, 'fails')).toEqual(['fails']);
      judged(two, 'works');
      expect(judged(one, 'fails', 'works', 'fails')).toEqual(['neither', 'works', 'fails']);
      deployments.report(two, failure(401));
      expect(judged(one, ...four)).toEqual(four);
    });

    it('rest for the model alone that fails, whatever else works', () => {
      const five = Array.from({ length: 5 }, () => {
        deployments.judge(one, 'works', both, 'chats');
        return deployments.judge(one, 'fails', both, 'images');
      });
      expect(five).toEqual([...four, 'neither']);
      expect(deployments.choose(both, undefined, 'images')).toBe(two);
      expect(deployments.choose(both, undefined, 'chats')).toBe(one);
      expect(deployments.hasAnother(both, new Set([two]), 'images')).toBe(false);
      expect(deployments.hasAnother(both, new Set([two]), 'chats')).toBe(true);
      expect(deployments.states(both)).toMatchObject([{ restMs: 5_000 }, { restMs: 0 }]);
    });

    it('rest for all models where several fail in a row, and none works', () => {
      for (const asked of ['a', 'b', 'c', 'a']) deployments.judge(one, 'fails', both, asked);
      expect(deployments.choose(both, undefined, 'd')).toBe(one);
      expect(deployments.judge(one, 'fails', both, 'b')).toBe('neither');
      for (const asked of ['a', 'd']) {
        expect(deployments.choose(both, undefined, asked)).toBe(two);
      }
      deployments.judge(one, 'works', both, 'd');
      expect(deployments.choose(both, undefined, 'd')).toBe(one);
    });

    it('say that the model fails, where the others do not have it', () => {
      deployments.report(two, failure(404), 'm');
      for (let count = 0; count < 5; count++) {
        for (const asked of ['m', 'other']) deployments.judge(one, 'fails', both, asked);
      }
      expect(deployments.judge(one, 'fails', both, 'm')).toBe('fails');
      expect(deployments.judge(one, 'fails', both, 'other')).toBe('neither');
    });

    it('begin anew with one that works', () => {
      judged(one, ...four, 'works', ...four);
      expect(deployments.choose(both, new Set([two]))).toBe(one);
      judged(one, 'fails', 'works');
      expect(deployments.choose(both, new Set([two]))).toBe(one);
    });

    it('serve all the same when they are alone', () => {
      judged(one, ...four, 'fails');
      deployments.report(two, failure(401));
      expect(deployments.choose(both)).toBe(one);
    });
  });

  it('lets the one serve that wakes first when all rest', () => {
    const deployments = new Deployments(() => 0);
    deployments.report(one, failure(401));
    deployments.report(two, failure(429, 5));
    expect(deployments.choose(both)).toBe(two);
    expect(deployments.hasAnother(both, new Set([two]))).toBe(false);
  });

  it.each<[string, (deployments: Deployments, each: Deployment) => void]>([
    ['fails', (deployments, each) => void deployments.judge(each, 'fails', both)],
    [
      'cannot be reached',
      (deployments, each) => {
        deployments.report(each, unreached);
      },
    ],
  ])('lets each serve now and then when all rest, because it %s', async (_, fail) => {
    let now = 0;
    const deployments = new Deployments(
      () => now,
      () => 0,
    );
    const called = async () => {
      const chosen = deployments.choose(both);
      const send = () => Promise.reject(unreached);
      await expect(deployments.through(chosen, both, send, signal)).rejects.toBe(unreached);
      return chosen;
    };
    const fails = (each: Deployment, times: number) => {
      for (let count = 0; count < times; count++) fail(deployments, each);
    };
    fails(two, 5);
    now = 5_000;
    fails(one, 5);
    fails(two, 1);
    now = 9_000;
    const leastMs = () => Math.min(...deployments.states(both).map(({ restMs }) => restMs));
    expect(leastMs()).toBeGreaterThan(0);
    expect(await called()).toBe(one);
    expect(await called()).toBe(two);
    expect(await called()).toBe(one);
    now = 14_000;
    fails(one, 1);
    expect([await called(), await called()]).toEqual([one, two]);
  });

  it('leaves one alone that cannot be reached, while another one that asked to be spared is soon free', () => {
    let now = 0;
    const deployments = new Deployments(
      () => now,
      () => 0,
    );
    for (now of [0, 5_000, 15_000]) deployments.report(two, unreached);
    deployments.report(one, failure(429, 5));
    expect(deployments.states(both)).toMatchObject([{ restMs: 5_000 }, { restMs: 20_000 }]);
    expect(deployments.choose(both)).toBe(one);
    deployments.report(one, failure(429, 6));
    expect(deployments.choose(both)).toBe(two);
  });

  it('has one call show if another one can be reached, while one that asked to be spared is soon free', () => {
    let now = 0;
    const deployments = new Deployments(
      () => now,
      () => 0,
    );
    deployments.report(two, unreached);
    now = 5_000;
    deployments.report(one, failure(429, 1));
    expect(deployments.choose(both)).toBe(two);
    void deployments.through(two, both, () => new Promise(() => undefined), signal);
    expect(deployments.choose(both)).toBe(one);
    expect(deployments.choose(both, new Set([one]))).toBe(one);
    expect(deployments.choose(both, new Set([one, two]))).toBe(two);
    expect(deployments.hasAnother(both, new Set([one]))).toBe(false);
    deployments.report(one, failure(429, 6));
    expect(deployments.choose(both)).toBe(two);
    expect(deployments.hasAnother(both, new Set([one]))).toBe(true);
  });

  it('serves by one that can be reached again, however long it was to rest', async () => {
    let now = 0;
    const deployments = new Deployments(
      () => now,
      () => 0,
    );
    deployments.report(one, failure(401));
    deployments.report(two, unreached);
    now = 5_000;
    deployments.report(two, unreached);
    const restMs = () => deployments.states(both)[1]?.restMs;
    expect(restMs()).toBe(10_000);
    await deployments.through(two, both, answering().send, signal);
    expect(restMs()).toBe(0);
    const slow = Promise.withResolvers<IncomingAnswer>();
    const old = deployments.through(two, both, () => slow.promise, signal);
    deployments.report(two, unreached);
    slow.resolve(await answering().send());
    await old;
    expect(restMs()).toBe(5_000);
  });

  it('lets those share that wake almost together when all rest', async () => {
    const deployments = new Deployments(
      () => 0,
      () => 0,
    );
    deployments.report(one, failure(429, 6));
    deployments.report(two, failure(429, 5));
    const { send } = answering();
    expect(deployments.choose(both)).toBe(one);
    await deployments.through(one, both, send, signal);
    expect(deployments.choose(both)).toBe(two);
    expect(deployments.choose(both, new Set([two]))).toBe(one);
    expect(deployments.hasAnother(both, new Set([two]))).toBe(false);
  });

  it('passes over what failed the same request while there is another', () => {
    const deployments = new Deployments(
      () => 0,
      () => 0,
    );
    expect(deployments.choose(both, new Set([one]))).toBe(two);
    expect(deployments.hasAnother(both, new Set([one]))).toBe(true);
    expect(deployments.hasAnother(both, new Set([one, two]))).toBe(false);
    expect(deployments.choose(both, new Set([one, two]))).toBe(one);
  });

  it('knows a deployment again when the settings were read anew', () => {
    const deployments = new Deployments(() => 0);
    deployments.report(one, failure(401));
    expect(deployments.choose(connectionTo({ ...one }, two))).toBe(two);
  });
});
