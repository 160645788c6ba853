import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Received } from './support/fake-upstream.js';
import { API_KEY } from './support/gateway.js';
import { dataUrl, formIn, formOf, png, postEdit } from './support/images.js';
import { until } from './support/until.js';
import { useGatewayBefore } from './support/use-gateway.js';

const CANVAS = png(64, 64);
const MASK = png(64, 64, Buffer.alloc(8, 'm'));
const MADE = png(512, 512).toString('base64');

describe('images at vendors of images', () => {
  const gateway = useGatewayBefore((url) => ({
    STABILITY_API_KEY: 'stability-key',
    STABILITY_BASE_URL: `${url}/v2beta/stable-image`,
    FAL_API_KEY: 'fal-key',
    FAL_BASE_URL: url,
    REPLICATE_API_KEY: 'replicate-key',
    REPLICATE_BASE_URL: `${url}/v1`,
    ALIBABA_API_KEY: 'alibaba-key',
    ALIBABA_BASE_URL: `${url}/compatible-mode/v1`,
    BEDROCK_API_KEY: 'bedrock-key',
    BEDROCK_BASE_URL: url,
    AWS_REGION: 'us-west-2',
  }));
  const { upstream } = gateway;
  beforeEach(() => {
    upstream.received.length = 0;
  });

  async function generate(
    body: object,
    signal?: AbortSignal,
  ): Promise<{ status: number; body: any }> {
    const response = await fetch(`${gateway.url}/v3/images/generations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'A cat', ...body }),
      ...(signal && { signal }),
    });
    return { status: response.status, body: await response.json() };
  }

  /** Answers by the request; what has no answer is a 404. */
  function answers(pick: (request: Received) => object | undefined): void {
    upstream.answers((response, request) => {
      const body = pick(request);
      response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body ?? { detail: `nothing at ${request.path}` }));
    });
  }

  it('an image that was made is not made again when another one has to be asked for again', async () => {
    let asked = 0;
    upstream.answers((response) => {
      const isBusy = (asked += 1) === 2;
      response.writeHead(isBusy ? 429 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isBusy ? { errors: ['busy'] } : { image: MADE }));
    });
    const { status, body } = await generate({ model: 'stability/stable-image-core', n: 3 });
    expect([status, body.data?.length]).toEqual([200, 3]);
    expect(upstream.received).toHaveLength(4);
  });

  it('Stability AI gets a form with the image, the mask and what it needs besides', async () => {
    upstream.replies(200, { image: MADE, finish_reason: 'SUCCESS', seed: 7 });
    const fields = formOf(
      ['model', 'stability/inpaint'],
      ['prompt', 'a hat'],
      ['grow_mask', '5'],
      ['mask', MASK],
      ['image', CANVAS],
    );
    const { status, body } = await postEdit(gateway.url, fields);
    expect([status, body.data, body.size, body.cost]).toEqual([
      200,
      [{ b64_json: MADE, url: null, revised_prompt: null }],
      '512x512',
      0.05,
    ]);
    expect(upstream.last).toMatchObject({
      path: '/v2beta/stable-image/edit/inpaint',
      headers: { authorization: 'Bearer stability-key', accept: 'application/json' },
    });
    const form = await formIn(upstream.last);
    expect([form.get('prompt'), form.get('grow_mask')]).toEqual(['a hat', '5']);
    const mask = form.get('mask') as File;
    expect(Buffer.from(await mask.arrayBuffer()).equals(MASK)).toBe(true);
  });

  it('what Stability AI filtered is the caller’s to mend, and costs nothing', async () => {
    upstream.replies(200, { image: MADE, finish_reason: 'CONTENT_FILTERED' });
    const { status, body } = await generate({ model: 'stability/stable-image-core' });
    expect([status, body.error.type]).toEqual([400, 'invalid_request_error']);
    expect(body.error.message).toContain('filtered');
  });

  it('of several images those are given, and paid, that the provider did not filter', async () => {
    const filtered = { image: MADE, finish_reason: 'CONTENT_FILTERED' };
    let asked = 0;
    answers(() => (asked++ === 0 ? filtered : { image: MADE, finish_reason: 'SUCCESS' }));
    const some = await generate({ model: 'stability/stable-image-core', n: 3 });
    expect([some.status, some.body.data?.length, some.body.cost]).toEqual([200, 2, 0.06]);

    upstream.replies(200, filtered);
    const none = await generate({ model: 'stability/stable-image-core', n: 3 });
    expect([none.status, none.body.error.code]).toEqual([400, 'moderation_blocked']);
  });

  it('of several images one that failed fails all', async () => {
    let asked = 0;
    answers(() => (asked++ === 0 ? { finish_reason: 'ERROR' } : { image: MADE }));
    const { status } = await generate({ model: 'stability/stable-image-core', n: 3 });
    expect(status).toBe(502);
  });

  it('what Stability AI refuses with 403 is told where its rules are the reason, and only there', async () => {
    const message = 'Your request was flagged by our content moderation system.';
    upstream.replies(403, { id: '1', name: 'content_moderation', errors: [message] });
    const refused = await generate({ model: 'stability/stable-image-core' });
    expect(refused.status).toBe(400);
    expect(refused.body.error).toMatchObject({ type: 'invalid_request_error', message });

    upstream.replies(403, { id: '2', name: 'forbidden', errors: ['Your key sk-1 is shut.'] });
    const hidden = await generate({ model: 'stability/stable-image-core' });
    expect(hidden.status).toBe(502);
    expect(JSON.stringify(hidden.body)).not.toContain('sk-1');
  });

  it.each([
    ['fal/fal-ai/flux/schnell', 'PUT'],
    ['replicate/black-forest-labs/flux-schnell', 'POST'],
  ])('%s is told to stop by %s when the caller has left', async (model, method) => {
    const stop = `${upstream.url}/requests/1/cancel`;
    const get = `${upstream.url}/requests/1`;
    const task = { status: 'IN_QUEUE', status_url: get, response_url: get, cancel_url: stop };
    const prediction = { id: '1', status: 'starting', urls: { get, cancel: stop } };
    answers(() => (model.startsWith('fal') ? task : prediction));
    const hangUp = new AbortController();
    const asked = generate({ model }, hangUp.signal);
    await until(() => upstream.received.length === 2);
    hangUp.abort();
    await expect(asked).rejects.toThrow();
    const told = () => upstream.received.filter(({ path }) => path === '/requests/1/cancel');
    await until(() => told().length === 1);
    expect(told()[0]?.method).toBe(method);
    expect(told()[0]?.headers.authorization).toMatch(/-key$/);
  });

  it.each([
    ['fal/fal-ai/flux/schnell', {}],
    ['replicate/black-forest-labs/flux-schnell', { status: 7 }],
  ])('%s is told to stop where it does not say how far it is', async (model, later) => {
    const task = `${upstream.url}/requests/1`;
    const [get, stop] = [`${task}/status`, `${task}/cancel`];
    const queued = { status: 'IN_QUEUE', status_url: get, response_url: task, cancel_url: stop };
    const prediction = { id: '1', status: 'starting', urls: { get, cancel: stop } };
    const begun = model.startsWith('fal') ? queued : prediction;
    answers(({ path }) => (path.startsWith('/requests') ? later : begun));
    const { status, body } = await generate({ model });
    expect([status, body.error.code]).toEqual([502, 'upstream_error']);
    await until(() => upstream.last.path === '/requests/1/cancel');
    expect(upstream.received).toHaveLength(3);
  });

  it('fal’s queue is asked until the task is done', async () => {
    const task = `${upstream.url}/fal-ai/flux/requests/1`;
    let asked = 0;
    answers(({ method, path }) => {
      if (method === 'POST')
        return { status: 'IN_QUEUE', status_url: `${task}/status`, response_url: task };
      if (path.endsWith('/status')) {
        asked += 1;
        return { status: asked < 2 ? 'IN_PROGRESS' : 'COMPLETED', response_url: task };
      }
      return { images: [{ url: 'https://v3.fal.media/1.png', width: 1024, height: 768 }] };
    });
    const { status, body } = await generate({ model: 'fal/fal-ai/flux/schnell' });
    expect([status, body.data[0].url, body.size, body.cost]).toEqual([
      ...[200, 'https://v3.fal.media/1.png', '1024x768', 0.003],
    ]);
    expect(upstream.received.map(({ headers }) => headers.authorization)).toEqual(
      Array(4).fill('Key fal-key'),
    );
  });

  it('a prediction on Replicate is known after a second, asked for until it is over, and its failure told', async () => {
    const urls = { get: `${upstream.url}/v1/predictions/1`, cancel: `${upstream.url}/cancel` };
    answers(({ method }) =>
      method === 'POST'
        ? { id: '1', status: 'starting', output: null, error: null, urls }
        : { id: '1', status: 'failed', error: 'NSFW content detected.', urls },
    );
    const { status, body } = await generate({ model: 'replicate/black-forest-labs/flux-schnell' });
    expect([status, body.error.message]).toEqual([400, 'NSFW content detected.']);
    expect(upstream.received[0]).toMatchObject({
      path: '/v1/models/black-forest-labs/flux-schnell/predictions',
      headers: { prefer: 'wait=1', authorization: 'Bearer replicate-key' },
    });
  });

  it('Alibaba is reached beside its address in OpenAI’s format', async () => {
    const content = [{ image: 'https://dashscope.example/1.png' }];
    upstream.replies(200, { output: { choices: [{ message: { content } }] }, request_id: 'r' });
    const { status, body } = await generate({ model: 'alibaba/qwen-image-2.0', size: '1024x768' });
    expect([status, body.data[0].url, body.cost]).toEqual([200, content[0]!.image, 0.035]);
    expect(upstream.last.path).toBe('/api/v1/services/aigc/multimodal-generation/generation');
    expect(upstream.last.body.parameters).toEqual({ n: 1, size: '1024*768' });
  });

  it('Nova Canvas gets base64 inside its task', async () => {
    upstream.replies(200, { images: [MADE], error: null });
    const { status, body } = await postEdit(
      gateway.url,
      JSON.stringify({
        model: 'bedrock/amazon.nova-canvas-v1:0',
        prompt: 'a hat',
        images: [{ image_url: dataUrl(CANVAS) }],
        mask: { image_url: dataUrl(MASK) },
      }),
      { 'content-type': 'application/json' },
    );
    expect([status, body.data[0].b64_json, body.cost]).toEqual([200, MADE, 0.04]);
    expect(upstream.last.path).toBe('/model/amazon.nova-canvas-v1%3A0/invoke');
    expect(upstream.last.body).toMatchObject({
      taskType: 'INPAINTING',
      inPaintingParams: {
        image: CANVAS.toString('base64'),
        maskImage: MASK.toString('base64'),
        text: 'a hat',
      },
    });
  });

  it('an own parameter of a form is the number that it was before a client made a form of it', async () => {
    upstream.replies(200, { images: [MADE], error: null });
    const form = formOf(
      ['model', 'bedrock/amazon.nova-canvas-v1:0'],
      ['prompt', 'a hat'],
      ['seed', '42'],
      ['imageGenerationConfig[cfgScale]', '6.5'],
      ['image', CANVAS],
    );
    expect((await postEdit(gateway.url, form)).status).toBe(200);
    expect(upstream.last.body.imageGenerationConfig).toEqual({
      ...{ numberOfImages: 1, cfgScale: 6.5, seed: 42 },
    });
  });

  it('lists them with what they can do and cost', async () => {
    const response = await fetch(`${gateway.url}/v3/images/models`, {
      headers: { authorization: `Bearer ${API_KEY}` },
    });
    const { data } = (await response.json()) as { data: any[] };
    const row = (id: string) => data.find((model) => model.id === id);
    expect(row('stability/inpaint')).toMatchObject({
      capabilities: { mask: true, max_images: 1 },
      pricing: { output_cost_per_image: 0.05 },
    });
    expect(row('bedrock/amazon.nova-canvas-v1:0')).toBeUndefined();
  });
});
