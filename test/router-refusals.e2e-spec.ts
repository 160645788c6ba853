import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeUpstream } from './support/fake-upstream.js';
import { type RunningGateway, startGateway } from './support/gateway.js';
import { file, poster, routed } from './support/laboratory.js';
import { COMPLETION } from './support/provider-answers.js';

const CHAT = '/v3/chat/completions';
/** Of OpenAI's format, and cheaper than all others: as many as are tried at first. */
const STRICT = Array.from({ length: 10 }, (_, at) => `groq/strict-${at}`);
const MODELS = STRICT.map(
  (id) => `  ${id}:
    endpoints: [messages]
    pricing: { input_cost_per_token: 0.000000001, output_cost_per_token: 0.000000001 }
    capabilities: { supports_function_calling: true, input_modalities: [text] }
`,
);

describe('@router with a request that the gateway has no words for at the best models', () => {
  const upstream = new FakeUpstream();
  let gateway: RunningGateway;
  const post = poster(() => gateway);
  const asked = () => upstream.received.map(({ body }) => body.model as string);
  const custom = () =>
    routed({
      tools: [{ type: 'custom', custom: { name: 'c' } }],
      routing: { quality_cost: 10, sticky: false },
    });

  beforeAll(async () => {
    await upstream.listen();
    gateway = await startGateway({
      GROQ_API_KEY: 'k',
      GROQ_BASE_URL: `${upstream.url}/v1`,
      OPENAI_API_KEY: 'k',
      OPENAI_BASE_URL: `${upstream.url}/v1`,
      MODELS_FILE: file('strict.yaml', `models:\n${MODELS.join('')}`),
    });
  });
  afterAll(async () => {
    await gateway.close();
    await upstream.close();
  });
  beforeEach(() => {
    upstream.received.length = 0;
    upstream.replies(200, COMPLETION);
  });

  it('asks the best of another provider, though it is of the same format', async () => {
    const { json: route } = await post('/v3/route', custom());
    expect(route.plan.slice(0, STRICT.length).sort()).toEqual(STRICT);
    const { status, json } = await post(CHAT, custom());
    expect([status, json.model]).toEqual([200, expect.stringMatching(/^openai\//)]);
    expect(asked()).toEqual([json.model.slice('openai/'.length)]);
  });

  it('stays with it', async () => {
    const body = { ...custom(), session_id: 'refused', routing: { quality_cost: 10 } };
    const { json } = await post(CHAT, body);
    const { json: route } = await post('/v3/route', body);
    expect(route).toMatchObject({ model: json.model, kept: true });
  });

  it('says why where nobody has words for it, and asks nobody', async () => {
    const { status, json } = await post(CHAT, { ...custom(), router_candidates: STRICT });
    expect([status, json.error.param]).toEqual([400, 'tools[0].type']);
    expect(asked()).toEqual([]);
  });

  it('asks nobody behind its plan when a provider has refused it', async () => {
    upstream.replies(400, { error: { message: 'No.' } });
    const plain = { ...custom(), tools: undefined };
    const { json: route } = await post('/v3/route', plain);
    expect((await post(CHAT, plain)).status).toBe(400);
    const planned = route.plan.map((id: string) => id.slice(id.indexOf('/') + 1));
    expect(asked()).toEqual(planned);
  });
});
