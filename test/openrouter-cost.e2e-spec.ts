import { describe, expect, it } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from './support/databases.js';
import { ADMIN_KEY } from './support/gateway.js';
import { CHUNKS, COMPLETION } from './support/provider-answers.js';
import { SURFACES } from './support/surfaces.js';
import { useGatewayBefore } from './support/use-gateway.js';

const MODEL = 'openrouter/openai/gpt-4o-mini';
const OWN_PRICE = 'openrouter/anthropic/claude-haiku-4.5';
const MODELS_FILE = join(temporaryDirectory(), 'models.yaml');
writeFileSync(
  MODELS_FILE,
  `models: { ${OWN_PRICE}: { pricing: { input_cost_per_token: 0, output_cost_per_token: 0 } } }`,
);
/** 10 tokens at 0.15 a million, and 4 at 0.60. */
const LISTED = 0.0000039;

describe('what a conversation with OpenRouter costs, which tells it', () => {
  const gateway = useGatewayBefore((url) => ({
    ...{ OPENROUTER_API_KEY: 'upstream-key', OPENROUTER_BASE_URL: `${url}/or/v1` },
    MODELS_FILE,
  }));
  const { upstream, post } = gateway;

  /** What its record says: the same for a stream as for a whole answer. */
  async function paid(path: string, body: object, model: string, told: object): Promise<unknown[]> {
    const usage = { ...COMPLETION.usage, ...told };
    const chunks = CHUNKS.replace(JSON.stringify(COMPLETION.usage), JSON.stringify(usage));
    const costs: unknown[] = [];
    for (const stream of [false, true]) {
      if (stream) upstream.streams(`${chunks}data: [DONE]\n\n`);
      else upstream.replies(200, { ...COMPLETION, usage });
      const { headers } = await post(path, { model, ...body, stream }).expect(200);
      const row = await fetch(`${gateway.url}/v3/admin/requests/${headers['x-request-id']}`, {
        headers: { authorization: `Bearer ${ADMIN_KEY}` },
      });
      const { cost, estimated } = (await row.json()) as Record<string, unknown>;
      expect(estimated).toBe(false);
      costs.push(cost);
    }
    return costs;
  }

  it.each(SURFACES)(
    'is what it tells, where that is more than the list: %s',
    async (path, body) => {
      const asked = { ...body, provider: { only: ['dear-host'] } };
      expect(await paid(path, asked, MODEL, { cost: 0.25 })).toEqual([0.25, 0.25]);
    },
  );

  it.each(SURFACES)('is the list price where it tells less, or nothing: %s', async (path, body) => {
    for (const told of [{ cost: 0.0000001, is_byok: true }, {}, { cost: -1 }, { cost: '1' }]) {
      expect(await paid(path, body, MODEL, told)).toEqual([LISTED, LISTED]);
    }
  });

  it.each(SURFACES)("is the operator's price where there is one: %s", async (path, body) => {
    expect(await paid(path, body, OWN_PRICE, { cost: 0.25 })).toEqual([0, 0]);
  });
});
