import { beforeAll, describe, expect, it } from '@jest/globals';
import supertest from 'supertest';
import { ApiKeys } from '../src/accounts/api-keys.service.js';
import { Database } from '../src/database/database.service.js';
import { dataUrl, png } from './support/images.js';
import { useGateway } from './support/use-gateway.js';

const messages = [{ role: 'user', content: 'Hello' }];

describe('the sandbox', () => {
  const gateway = useGateway({
    UPSTREAM_FIRST_BYTE_TIMEOUT_MS: '700',
    UPSTREAM_IDLE_TIMEOUT_MS: '700',
  });
  const { post, upstream } = gateway;

  it('answers every endpoint and prices it', async () => {
    const cost = async (path: string, body: object) =>
      (await post(path, body).expect(200)).body.cost;
    const model = 'sandbox/echo';
    const image = await post('/v3/images/generations', { model: 'sandbox/image', prompt: 'a cat' });
    expect(image.body).toMatchObject({ cost: 0.01, size: '1024x1024', output_format: 'png' });
    const image_url = `data:image/png;base64,${image.body.data[0].b64_json}`;
    const edit = { model: 'sandbox/image', prompt: 'a dog', images: [{ image_url }], n: 2 };
    expect(await cost('/v3/images/edits', edit)).toBe(0.02);
    expect(await cost('/v3/v1/messages', { model, messages })).toBe(0.00001);
    expect(await cost('/v3/chat/completions', { model, messages })).toBe(0.00001);
    expect(await cost('/v3/embeddings', { model: 'sandbox/embedding', input: 'Hello' })).toBe(
      0.000002,
    );
    await post('/v3/v1/messages/count_tokens', { model, messages }).expect(200, {
      input_tokens: 2,
    });
  });

  it.each([
    ['error-400', 400],
    ['error-401', 502],
    ['error-429', 429],
    ['error-500', 502],
    ['error-529', 529],
    ['stall', 504],
    ['slow-2000', 504],
    ['slow-50', 200],
    ['cut-stream', 502],
  ])('drills sandbox/%s as %i, also as a fallback', async (name, status) => {
    await post('/v3/v1/messages', { model: `sandbox/${name}`, messages }).expect(status);
    const body = { model: 'sandbox/error-503', messages, fallbacks: [`sandbox/${name}`] };
    await post('/v3/v1/messages', body).expect(status);
  });

  it.each([
    ['error-400', 400],
    ['error-529', 503],
    ['slow-50', 200],
    ['stall', 504],
    ['cut-stream', 502],
  ])('drills sandbox/%s as %i of images and embeddings, too', async (name, status) => {
    const model = `sandbox/${name}`;
    await post('/v3/embeddings', { model, input: 'Hello' }).expect(status);
    const image = { model, prompt: 'x', size: '8x8' };
    await post('/v3/images/generations', image).expect(status);
    const images = [{ image_url: dataUrl(png(8, 8)) }];
    await post('/v3/images/edits', { ...image, images }).expect(status);
  });

  it.each(['cut-stream', 'stall'])('drills a stream that breaks: sandbox/%s', async (name) => {
    const body = { model: `sandbox/${name}`, messages, stream: true };
    const { text } = await post('/v3/v1/messages', body).expect(200);
    expect(text).toContain('event: message_start');
    expect(text).toMatch(/event: error\ndata: {"type":"error"[^\n]*}\n\n$/);
  });

  it('does not list the drills', async () => {
    const { body } = await gateway.get('/v3/models');
    const names = body.data.map(({ id }: { id: string }) => id);
    expect(names).toContain('sandbox/echo');
    expect(names.filter((id: string) => /error|slow|stall|cut/.test(id))).toEqual([]);
  });

  describe('for a key of type sandbox', () => {
    let key: string;
    beforeAll(async () => {
      const fields = {
        accountId: 'acc_default',
        name: 'try',
        type: 'sandbox',
        scopes: ['inference'],
      } as const;
      key = await gateway.app
        .get(Database)
        .write((transaction) => gateway.app.get(ApiKeys).create(transaction, fields));
    });

    it.each([
      ['/v3/v1/messages', { model: 'anthropic/claude-sonnet-4-5', messages }],
      ['/v3/v1/messages', { model: 'openai/gpt-4o', messages }],
      ['/v3/chat/completions', { model: 'openai/gpt-4o', messages }],
      ['/v3/embeddings', { model: 'openai/text-embedding-3-small', input: 'x' }],
      ['/v3/images/generations', { model: 'openai/gpt-image-1', prompt: 'x' }],
    ])('answers %s %j at no cost without calling anyone', async (path, body) => {
      const before = upstream.received.length;
      const reply = await supertest(gateway.url)
        .post(path)
        .set('authorization', `Bearer ${key}`)
        .send(body)
        .expect(200);
      expect(reply.body.cost).toBe(0);
      expect(reply.body.provider).toBe(body.model.split('/')[0]);
      if ('messages' in body) expect(reply.body.model).toBe(body.model);
      expect(upstream.received.length).toBe(before);
    });
  });
});
