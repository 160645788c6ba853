import { beforeEach, describe, expect, it } from '@jest/globals';
import { type ServerResponse } from 'node:http';
import { API_KEY } from './support/gateway.js';
import { dataUrl, formOf, leaveImages, type Part, png, postEdit } from './support/images.js';
import { requestRow } from './support/request-rows.js';
import { until } from './support/until.js';
import { useGatewayBefore } from './support/use-gateway.js';

const CANVAS = png(64, 64);
const LARGE = png(64, 64, Buffer.alloc(700_000, 'z'));
const MADE = png(1024, 1024);
const GEMINI = 'google/gemini-2.5-flash-image';
const GROK = 'xai/grok-imagine-image';
const FLUX = 'bfl/flux-2-pro';
const ROUTED = 'openrouter/google/gemini-3-pro-image';

describe('images at providers that speak other formats', () => {
  const gateway = useGatewayBefore((url) => ({
    GOOGLE_API_KEY: 'google-key',
    GOOGLE_BASE_URL: `${url}/google`,
    XAI_API_KEY: 'xai-key',
    XAI_BASE_URL: `${url}/xai/v1`,
    BFL_API_KEY: 'bfl-key',
    BFL_BASE_URL: `${url}/bfl/v1`,
    OPENROUTER_API_KEY: 'openrouter-key',
    OPENROUTER_BASE_URL: `${url}/openrouter`,
  }));
  const { upstream } = gateway;
  beforeEach(() => {
    upstream.received.length = 0;
  });
  const form = (model: string, ...parts: readonly Part[]) =>
    postEdit(gateway.url, formOf(['model', model], ['prompt', 'night'], ...parts));
  const json = (path: string, body: object, signal?: AbortSignal) =>
    fetch(`${gateway.url}/v3/images/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'x', ...body }),
      ...(signal && { signal }),
    });

  describe('OpenRouter', () => {
    const answer = (images: object[], error: object) =>
      upstream.replies(
        200,
        { choices: [{ message: { content: '', images }, finish_reason: 'error', error }] },
        // Too late to be waited for.
        { 'retry-after': '34' },
      );

    it.each([
      [429, 429, 'Slow down.'],
      [400, 400, 'Slow down.'],
      [502, 502, 'The provider openrouter failed with status 502.'],
    ])('says inside of a choice that it failed with %d', async (code, status, message) => {
      answer([], { code, message: 'Slow down.' });
      const refused = await json('generations', { model: ROUTED });
      expect(refused.status).toBe(status);
      if (status === 429) expect(refused.headers.get('retry-after')).toBe('34');
      expect(await refused.json()).toMatchObject({ error: { message } });
    });

    it('has answered where an image came all the same', async () => {
      const url = `data:image/png;base64,${MADE.toString('base64')}`;
      answer([{ image_url: { url } }], { code: 502, message: 'broken off' });
      expect((await json('generations', { model: ROUTED })).status).toBe(200);
    });
  });

  describe('Gemini', () => {
    beforeEach(() => {
      const inlineData = { mimeType: 'image/png', data: MADE.toString('base64') };
      const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 1290 };
      const content = { parts: [{ inlineData }] };
      upstream.replies(200, { candidates: [{ content, finishReason: 'STOP' }], usageMetadata });
    });

    it('edits an image that came in a form, whose bytes it gets (L#17189)', async () => {
      const { status, body } = await form(GEMINI, ['image', LARGE]);
      expect(status).toBe(200);
      expect(body.data[0].b64_json).toBe(MADE.toString('base64'));
      expect(body).toMatchObject({ output_format: 'png', size: '1024x1024', provider: 'google' });
      const [{ parts }] = upstream.last.body.contents;
      expect(parts[1].inlineData).toEqual({
        mimeType: 'image/png',
        data: LARGE.toString('base64'),
      });
      expect(upstream.last.headers['content-length']).toBe(String(upstream.last.bytes.length));
    });

    it('is told the size of an edit, and refuses images where it would ignore them (B#2283)', async () => {
      await form(GEMINI, ['image', CANVAS], ['size', '1344x768']);
      const { imageConfig } = upstream.last.body.generationConfig;
      expect(imageConfig).toMatchObject({ aspectRatio: '16:9' });
      upstream.received.length = 0;
      const images = [{ image_url: dataUrl(CANVAS) }];
      const response = await json('generations', { model: GEMINI, images });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { param: 'images' } });
      expect(upstream.received).toEqual([]);
    });

    it('refuses what it cannot do rather than leave it out (B#7173)', async () => {
      const { status, body } = await form(GEMINI, ['image', CANVAS], ['mask', CANVAS]);
      expect([status, body.error.param]).toEqual([400, 'mask']);
      expect(upstream.received).toEqual([]);
    });

    it('makes several images by several calls', async () => {
      const response = await json('generations', { model: GEMINI, n: 3, response_format: 'url' });
      const body: any = await response.json();
      expect(body.data).toHaveLength(3);
      expect(upstream.received).toHaveLength(3);
      expect(body.data.every(({ url }: { url: string }) => url.startsWith(gateway.url))).toBe(true);
    });
  });

  it('sends xAI its JSON, whichever form the caller sent (n#4546)', async () => {
    upstream.replies(200, { data: [{ url: 'https://images.example/1' }] });
    const { status } = await form(GROK, ['image', CANVAS]);
    expect(status).toBe(200);
    expect(upstream.last.headers['content-type']).toBe('application/json');
    expect(upstream.last.body).toMatchObject({
      model: 'grok-imagine-image',
      image: { type: 'image_url', url: dataUrl(CANVAS) },
    });
  });

  describe('Black Forest Labs, which answers later', () => {
    const answers = (response: ServerResponse, body: object) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const task = () => ({ id: 't1', polling_url: `${upstream.url}/bfl/v1/get_result?id=t1` });

    it('is asked until the image is there, which is then read from it', async () => {
      let asked = 0;
      upstream.answers((response, { method, path }) => {
        if (method === 'POST') return void answers(response, task());
        if (path === '/image.png') return void response.end(MADE);
        const result = { sample: `${upstream.url}/image.png` };
        const ready = { id: 't1', status: 'Ready', result };
        answers(response, ++asked < 3 ? { id: 't1', status: 'Pending' } : ready);
      });
      const response = await json('generations', { model: FLUX, response_format: 'b64_json' });
      expect(response.status).toBe(200);
      const body: any = await response.json();
      expect(body.data[0]).toMatchObject({ b64_json: MADE.toString('base64'), url: null });
      const calls = upstream.received.map(({ method, path, headers }) => [
        method,
        path.replace(/\?.*/, ''),
        headers['x-key'],
      ]);
      expect(calls).toEqual([
        ['POST', '/bfl/v1/flux-2-pro', 'bfl-key'],
        ...Array(3).fill(['GET', '/bfl/v1/get_result', 'bfl-key']),
        ['GET', '/image.png', undefined],
      ]);
    });

    it.each([408, 425, 429, 503])(
      'is begun once, also where asking is answered %i',
      async (status) => {
        let asked = 0;
        upstream.answers((response, { method }) => {
          if (method === 'POST') return void answers(response, task());
          if (++asked === 1) return void response.writeHead(status).end();
          const result = { sample: 'https://delivery.example/1.png' };
          answers(response, { id: 't1', status: 'Ready', result });
        });
        expect((await json('generations', { model: FLUX })).status).toBe(200);
        expect(upstream.received.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET']);
      },
    );

    it('is not followed to an address of somebody else’s', async () => {
      upstream.replies(200, { id: 't1', polling_url: 'http://169.254.169.254/latest' });
      const response = await json('generations', { model: FLUX });
      expect(response.status).toBe(502);
      expect(JSON.stringify(await response.json())).not.toContain('169.254');
      expect(upstream.received).toHaveLength(1);
    });

    it('is not asked any more when the caller has left', async () => {
      upstream.answers((response, { method }) => {
        answers(response, method === 'POST' ? task() : { id: 't1', status: 'Pending' });
      });
      const hangUp = new AbortController();
      const asked = json('generations', { model: FLUX }, hangUp.signal);
      await until(() => upstream.received.length === 2);
      hangUp.abort();
      await expect(asked).rejects.toThrow();
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      expect(upstream.received.length).toBeLessThanOrEqual(3);
    });
  });
});

describe('a task of an image provider with two keys', () => {
  const gateway = useGatewayBefore((url) => ({
    BFL_API_KEY: 'bfl-key',
    BFL_API_KEY_2: 'bfl-key-2',
    BFL_BASE_URL: `${url}/bfl/v1`,
  }));
  const { upstream } = gateway;

  it.each([
    ['it is missing', 404, { detail: 'Task not found' }, 502],
    ['too much is asked', 200, { error: { type: 'rate_limit_error', message: 'slow' } }, 429],
    ['it is overloaded', 200, { error: { type: 'overloaded_error', message: 'busy' } }, 503],
  ])('is begun once where asking for it says that %s', async (_, status, body, told) => {
    upstream.received.length = 0;
    upstream.answers((response, { method }) => {
      const task = { id: 't1', polling_url: `${upstream.url}/bfl/v1/get_result?id=t1` };
      response.writeHead(method === 'POST' ? 200 : status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(method === 'POST' ? task : body));
    });
    const answer = await fetch(`${gateway.url}/v3/images/generations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: FLUX, prompt: 'x' }),
    });
    expect(answer.status).toBe(told);
    expect(upstream.received.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it.each([
    [1, undefined, 0.03],
    [3, undefined, 0.09],
    [2, 5, 0.1],
  ])('is paid by who leaves while %i are made for %j credits', async (n, credits, cost) => {
    upstream.received.length = 0;
    upstream.answers((response, { method }) => {
      const address = `${upstream.url}/bfl/v1/get_result?id=t1`;
      const task = { id: 't1', polling_url: address, cost: credits };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(method === 'POST' ? task : { id: 't1', status: 'Pending' }));
    });
    const id = `left-${n}-${credits}`;
    const isMaking = () => upstream.received.filter(({ method }) => method === 'GET').length >= n;
    await leaveImages(gateway, id, { model: FLUX, prompt: 'x', n }, isMaking);
    const row = await requestRow(gateway, id);
    expect(row).toMatchObject({ outcome: 'client_closed', status: 499, images: n, estimated: 1 });
    expect(row.cost_units).toBe(BigInt(Math.round(cost * 1e12)));
  });
});
