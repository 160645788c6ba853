import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { awsEvent } from './support/aws-frames.js';
import { useGatewayBefore } from './support/use-gateway.js';

const NOVA = 'bedrock/us.amazon.nova-lite-v1:0';
const TIERS = 'service_tiers: { priority: 1.75, flex: 0.5 }';
const PRICE = `{ input_cost_per_token: 1e-6, output_cost_per_token: 4e-6, ${TIERS} }`;
const MODELS_FILE = join(mkdtempSync(join(tmpdir(), 'tiers-')), 'models.yaml');

const usage = { inputTokens: 1_000, outputTokens: 500, totalTokens: 1_500 };
const message = { role: 'assistant', content: [{ text: 'Hi' }] };

describe('a tier of service of Bedrock’s', () => {
  writeFileSync(MODELS_FILE, `models:\n  ${NOVA}: { pricing: ${PRICE} }\n`);
  const { upstream, post } = useGatewayBefore((url) => ({
    BEDROCK_API_KEY: 'upstream-bedrock-key',
    BEDROCK_BASE_URL: `${url}/aws`,
    MODELS_FILE,
  }));

  it.each([
    ['priority', 'priority', 0.00525],
    ['flex', 'flex', 0.0015],
    ['flex', 'default', 0.003],
    ['default', undefined, 0.003],
  ])('that is asked for as %s and was %s costs what its pricing says', async (type, was, cost) => {
    const serviceTier = was && { type: was };
    const frames = [
      awsEvent('messageStart', { role: 'assistant' }),
      awsEvent('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Hi' } }),
      awsEvent('contentBlockStop', { contentBlockIndex: 0 }),
      awsEvent('messageStop', { stopReason: 'end_turn' }),
      awsEvent('metadata', { usage, serviceTier }),
    ];
    upstream.answers((response, { path }) => {
      if (path.endsWith('/converse-stream')) {
        response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
        response.end(Buffer.concat(frames));
        return;
      }
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ output: { message }, stopReason: 'end_turn', usage, serviceTier }),
      );
    });
    const asked = {
      model: NOVA,
      max_tokens: 9,
      messages: [{ role: 'user', content: 'Hi' }],
      serviceTier: { type },
    };
    for (const stream of [false, true]) {
      const { text } = await post('/v3/v1/messages', { ...asked, stream }).expect(200);
      expect(upstream.last?.body.serviceTier).toEqual({ type });
      expect(Number(/"cost":([\d.e-]+)/.exec(text)?.[1])).toBe(cost);
    }
  });
});
