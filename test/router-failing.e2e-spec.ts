import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type RunningGateway, startGateway } from './support/gateway.js';
import { CHEAP, file, Laboratory, poster, PRIOR, routed, STRONG } from './support/laboratory.js';

const SECOND = 1_000;

describe('@router beside a model that fails, too seldom asked for its circuit to open', () => {
  const laboratory = new Laboratory();
  let gateway: RunningGateway;
  const post = poster(() => gateway);
  const body = (more: object = {}) =>
    routed({ routing: { quality_cost: 0 }, router_candidates: [STRONG, CHEAP], ...more });
  /** The models that a request was tried with. */
  const tried = async (more: object = {}) => {
    const { status, headers } = await post('/v3/chat/completions', body(more));
    expect(status).toBe(200);
    return headers.get('x-causeway-attempts');
  };

  const { now } = performance;
  let passed = 0;
  const pass = (ms: number): void => {
    passed += ms;
  };

  beforeAll(async () => {
    gateway = await startGateway({
      MODELS_FILE: await laboratory.open(503),
      ROUTER_PRIOR_FILE: file('prior.yaml', PRIOR),
      BREAKER: 'on',
    });
    jest.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + passed);
  });
  afterEach(() => laboratory.failing.clear());
  afterAll(async () => {
    jest.restoreAllMocks();
    await gateway.close();
    await laboratory.upstream.close();
  });

  it('asks it behind the others, and first now and then, until it answers', async () => {
    const session_id = 'kept';
    expect(await tried({ session_id })).toBe(`${STRONG}:ok`);
    laboratory.failing.add(STRONG);
    for (let request = 0; request < 3; request += 1) {
      pass(6 * SECOND);
      expect(await tried()).toBe(`${STRONG}:503, ${CHEAP}:ok`);
    }
    expect(await tried()).toBe(`${CHEAP}:ok`);
    expect(await tried({ session_id })).toBe(`${CHEAP}:ok`);
    const { json } = await post('/v3/route', body());
    expect(json.plan).toEqual([CHEAP, STRONG]);
    expect(json.candidates).toMatchObject([{ model: CHEAP }, { model: STRONG, failing: true }]);
    expect(json.candidates[0]).not.toHaveProperty('failing');
    expect(json.candidates[1].score).toBeGreaterThan(json.candidates[0].score);

    laboratory.failing.add(CHEAP);
    laboratory.failing.delete(STRONG);
    expect(await tried()).toBe(`${CHEAP}:503, ${STRONG}:ok`);
    laboratory.failing.clear();
    expect(await tried()).toBe(`${STRONG}:ok`);
    expect((await post('/v3/route', body())).json.candidates[0]).not.toHaveProperty('failing');
  });

  it('tells a caller who asks', async () => {
    laboratory.failing.add(STRONG);
    for (let request = 0; request < 3; request += 1) {
      pass(6 * SECOND);
      await tried();
    }
    const asked = { 'x-causeway-metadata': 'enabled' };
    const { json } = await post('/v3/chat/completions', body(), asked);
    expect(json.causeway_metadata.candidates).toMatchObject([
      { model: CHEAP },
      { model: STRONG, failing: true },
    ]);
    pass(30 * SECOND);
    expect(await tried()).toBe(`${STRONG}:503, ${CHEAP}:ok`);
    expect(await tried()).toBe(`${CHEAP}:ok`);
  });

  it('asks it as ever where no other one is a candidate', async () => {
    laboratory.failing.add(STRONG);
    const only = { router_candidates: [STRONG] };
    for (let request = 0; request < 5; request += 1) {
      pass(6 * SECOND);
      const { headers } = await post('/v3/v1/messages', body(only));
      expect(headers.get('x-causeway-attempts')).toMatch(`${STRONG}:503`);
    }
    const { json } = await post('/v3/route', body(only));
    expect(json.plan).toEqual([STRONG]);
  });
});
