import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { describeEveryEngine } from './support/databases.js';
import { fundedAccount } from './support/credit.js';
import { ADMIN_KEY, type RunningGateway, startGateway } from './support/gateway.js';
import { CHEAP, file, Laboratory, poster, PRIOR, routed, STRONG } from './support/laboratory.js';

describeEveryEngine('feedback', (engine) => {
  const laboratory = new Laboratory();
  let gateway: RunningGateway;
  let env: Record<string, string>;
  const post = poster(() => gateway);
  beforeAll(async () => {
    const settings = await engine.fresh();
    env = {
      ...settings,
      MODELS_FILE: await laboratory.open(),
      ROUTER_PRIOR_FILE: file('prior.yaml', PRIOR),
      RATE_LIMIT: '100000/s',
    };
    gateway = await startGateway(env);
  });
  afterAll(async () => {
    await gateway.close();
    await laboratory.upstream.close();
  });

  /** A request that the strong model answers. */
  const answered = async (more: object = {}) => {
    const routing = { quality_cost: 0, sticky: false };
    const { headers } = await post('/v3/chat/completions', routed({ routing, ...more }));
    return headers.get('x-request-id')!;
  };
  const quality = async (ask = post) => {
    const { json } = await ask(
      '/v3/route',
      routed({ routing: { quality_cost: 0, sticky: false } }),
    );
    return json.candidates.find(({ model }: any) => model === STRONG).quality as number;
  };

  it('moves what is believed by its share of sixty requests and one, the last one counts', async () => {
    const before = await quality();
    const request_id = await answered();
    const give = async (score: number) => {
      const { status, text } = await post('/v3/feedback', { request_id, score });
      expect([status, text]).toEqual([204, '']);
    };
    await give(1);
    await give(0);
    await give(0);
    expect(await quality()).toBeCloseTo((before * 60) / 61, 4);
    await give(0.5);
    expect(await quality()).toBeCloseTo((before * 60 + 0.5) / 61, 4);
  });

  it('is remembered by the next process', async () => {
    const before = await quality();
    await gateway.close();
    gateway = await startGateway(env);
    expect(await quality()).toBe(before);
  });

  it('ends with another model when it is bad for long enough', async () => {
    const { key } = await fundedAccount(gateway);
    const ask = poster(() => gateway, key);
    const ids = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const body = routed({ routing: { quality_cost: 0, sticky: false } });
        return (await ask('/v3/chat/completions', body)).headers.get('x-request-id')!;
      }),
    );
    for (const request_id of ids) await ask('/v3/feedback', { request_id, score: 0 });
    const { json } = await ask(
      '/v3/route',
      routed({ routing: { quality_cost: 0, sticky: false } }),
    );
    expect(json.model).toBe(CHEAP);
    // Another account has seen nothing of it.
    const { key: another } = await fundedAccount(gateway);
    expect(await quality(poster(() => gateway, another))).toBe(0.9);
  });

  it('counts once when it comes many times at once', async () => {
    const { key } = await fundedAccount(gateway);
    const ask = poster(() => gateway, key);
    const { headers } = await ask('/v3/chat/completions', routed({ routing: { quality_cost: 0 } }));
    const request_id = headers.get('x-request-id')!;
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => ask('/v3/feedback', { request_id, score: 0 })),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([204]));
    await delay(10);
    expect(await quality(ask)).toBeCloseTo((0.9 * 60) / 61, 4);
  });

  it('counts for each of many requests when it comes for all of them at once', async () => {
    const another = engine.name === 'postgres' ? await startGateway(env) : gateway;
    const { key } = await fundedAccount(gateway);
    const [ask, askAnother] = [poster(() => gateway, key), poster(() => another, key)];
    const ids: string[] = [];
    for (let call = 0; call < 60; call += 1) {
      const body = routed({ routing: { quality_cost: 0, sticky: false } });
      const { headers } = await ask('/v3/chat/completions', body);
      ids.push(headers.get('x-request-id')!);
    }
    const { DATABASE_URL: url } = env;
    if (url !== undefined) await query(url, SLOW_OPINIONS);
    const replies = await Promise.all(
      [...ids, ...ids.toReversed()].map((request_id, index) =>
        (index % 2 ? ask : askAnother)('/v3/feedback', { request_id, score: 0 }),
      ),
    );
    if (url !== undefined) await query(url, 'drop trigger slow on opinions');
    if (another !== gateway) await another.close();
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([204]));
    expect(await quality(ask)).toBeCloseTo((0.9 * 60) / 120, 4);
  });

  it('counts for a model that was named too', async () => {
    const { key } = await fundedAccount(gateway);
    const ask = poster(() => gateway, key);
    const { headers } = await ask('/v3/chat/completions', { ...routed(), model: STRONG });
    const request_id = headers.get('x-request-id')!;
    expect((await ask('/v3/feedback', { request_id, score: 0, note: 'Wrong.' })).status).toBe(204);
    expect(await quality(ask)).toBeCloseTo((0.9 * 60) / 61, 4);
  });

  it('counts for the kind of task, however soon it comes', async () => {
    const { key } = await fundedAccount(gateway);
    const ask = poster(() => gateway, key);
    for (let round = 0; round < 60; round += 1) {
      const messages = [
        { role: 'user', content: `Fix this python function: def f${round}(): pass` },
      ];
      const body = routed({ messages, routing: { quality_cost: 0, sticky: false } });
      const { headers } = await ask('/v3/chat/completions', body);
      await ask('/v3/feedback', { request_id: headers.get('x-request-id'), score: 0 });
    }
    // What is asked next is no code.
    expect(await quality(ask)).toBe(0.9);
  });

  it('of a sandbox key is taken, and says nothing of the models that the sandbox plays', async () => {
    const { id, key } = await fundedAccount(gateway);
    const asAdmin = poster(() => gateway, ADMIN_KEY);
    const made = await asAdmin(`/v3/admin/accounts/${id}/keys`, { name: 'trial', type: 'sandbox' });
    const trial = poster(() => gateway, made.json.key);
    const { headers, status } = await trial('/v3/chat/completions', { ...routed(), model: STRONG });
    expect(status).toBe(200);
    const said = { request_id: headers.get('x-request-id'), score: 0 };
    expect((await trial('/v3/feedback', said)).status).toBe(204);
    expect(await quality(poster(() => gateway, key))).toBe(0.9);
  });

  it('is refused for requests that are not there, of another account, or not answered', async () => {
    const { key } = await fundedAccount(gateway);
    const other = poster(() => gateway, key);
    const request_id = await answered();
    const refused = await other('/v3/feedback', { request_id, score: 1 });
    expect(refused.status).toBe(404);
    expect(refused.json.error).toMatchObject({ code: 'not_found', param: 'request_id' });
    expect((await post('/v3/feedback', { request_id: 'req_nope', score: 1 })).status).toBe(404);
    const failed = await post('/v3/chat/completions', { ...routed(), model: 'sandbox/error-500' });
    const id = failed.headers.get('x-request-id')!;
    expect((await post('/v3/feedback', { request_id: id, score: 1 })).status).toBe(404);
  });

  it.each([
    [{ score: 1 }, 'request_id'],
    [{ request_id: 'a' }, 'score'],
    [{ request_id: 'a', score: 1.1 }, 'score'],
    [{ request_id: 'a', score: -1 }, 'score'],
    [{ request_id: 'a', score: '1' }, 'score'],
    [{ request_id: 'a', score: 1, note: 'x'.repeat(1001) }, 'note'],
    [{ request_id: 'a', score: 1, stars: 5 }, 'stars'],
  ])('refuses %j', async (body, param) => {
    const { status, json } = await post('/v3/feedback', body);
    expect([status, json.error.param]).toEqual([400, param]);
  });
});

/** Every change takes as long as one on a server that is busy and far away. */
const SLOW_OPINIONS = `
  create or replace function slow() returns trigger language plpgsql as
    'begin perform pg_sleep(0.05); return null; end';
  create or replace trigger slow after insert on opinions execute function slow()`;

async function query(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(statement);
  await client.end();
}
