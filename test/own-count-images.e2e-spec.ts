import { describe, expect, it } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from './support/databases.js';
import { ADMIN_KEY } from './support/gateway.js';
import { dataUrl, fileIn, formIn, png } from './support/images.js';
import { useGatewayBefore } from './support/use-gateway.js';

const PRICING =
  '{ input_cost_per_token: 0.000001, output_cost_per_token: 0.00001, output_cost_per_image_token: 0.00004 }';

const gateway = useGatewayBefore((url) => {
  const MODELS_FILE = join(temporaryDirectory(), 'models.yaml');
  const row = (endpoints: string) => `{ endpoints: [${endpoints}], pricing: ${PRICING} }`;
  const lines = [
    `providers: { mine: { format: openai, base_url: ${url} } }`,
    'models:',
    `  mine/draws: ${row('images')}`,
    `  mine/edits: ${row('image-edits')}`,
    '  mine/priced: { endpoints: [image-edits], pricing: { output_cost_per_image: 0.04, input_cost_per_image: 0.01 } }',
    `  mine/both: ${row('messages, images')}`,
  ];
  writeFileSync(MODELS_FILE, lines.join('\n'));
  return {
    MODELS_FILE,
    AZURE_OPENAI_API_KEY: 'azure-key',
    AZURE_OPENAI_BASE_URL: `${url}/openai/v1`,
  };
});
const { upstream } = gateway;

const ask = async (path: string, body: object) => {
  const { headers } = await gateway.post(`/v3/${path}`, body).expect(200);
  const row = await fetch(`${gateway.url}/v3/admin/requests/${headers['x-request-id']}`, {
    headers: { authorization: `Bearer ${ADMIN_KEY}` },
  });
  return (await row.json()) as Record<string, unknown>;
};
const ONE = { created: 1, data: [{ b64_json: png(1024, 1024).toString('base64') }] };
const DRAW = { model: 'mine/draws', prompt: 'A cat', size: '1024x1024' };

describe('images whose provider tells no tokens', () => {
  it.each([
    [{ quality: 'low' }, 272],
    [{ quality: 'medium' }, 1_056],
    [{ quality: 'high' }, 4_160],
    [{}, 4_160],
  ])('are counted by what was asked for: %j', async (fields, tokens) => {
    upstream.replies(200, ONE);
    const row = await ask('images/generations', { ...DRAW, ...fields });
    expect(row).toMatchObject({ images: 1, output_tokens: tokens, estimated: true });
  });

  it('are counted as they came, and not as they were asked for', async () => {
    upstream.replies(200, ONE);
    const row = await ask('images/generations', { ...DRAW, quality: 'low', n: 4 });
    expect(row).toMatchObject({ images: 1, output_tokens: 272 });
  });

  it('are counted for a model that only edits', async () => {
    upstream.replies(200, ONE);
    const images = [{ image_url: dataUrl(png(8, 8)) }];
    const row = await ask('images/edits', { ...DRAW, model: 'mine/edits', images });
    expect(row).toMatchObject({ images: 1, output_tokens: 4_160 });
  });

  it.each([{}, { mask: { image_url: dataUrl(png(8, 8)) } }])(
    'cost their sources: %j',
    async (more) => {
      upstream.replies(200, ONE);
      const image = { image_url: dataUrl(png(8, 8)) };
      const images = [image, image];
      const row = await ask('images/edits', { ...DRAW, model: 'mine/priced', images, ...more });
      expect(row).toMatchObject({ cost: 0.06, estimated: false });
    },
  );

  it('are not what a chat is counted as, though its model draws', async () => {
    const choices = [{ index: 0, message: { role: 'assistant', content: 'ok' } }];
    upstream.replies(200, { id: 'c', choices });
    const messages = [{ role: 'user', content: 'Hello' }];
    const row = await ask('chat/completions', { model: 'mine/both', messages, max_tokens: 9 });
    expect(row).toMatchObject({ images: 0, output_tokens: 1 });
  });
});

describe('an edit in JSON at a server that speaks OpenAI’s format', () => {
  it.each(['mine/edits', 'azure-openai/gpt-image-2'])(
    '%s gets the form, which it knows',
    async (model) => {
      upstream.replies(200, { ...ONE, usage: { input_tokens: 1, output_tokens: 1 } });
      const image = png(8, 8);
      const images = [{ image_url: dataUrl(image) }];
      await ask('images/edits', { model, prompt: 'A cat', images, seed: 7 });
      const sent = await formIn(upstream.last);
      expect([sent.get('prompt'), sent.get('seed')]).toEqual(['A cat', '7']);
      expect(await fileIn(sent.get('image'))).toMatchObject({ bytes: image });
    },
  );
});
