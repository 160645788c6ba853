import { beforeEach, describe, expect, it } from '@jest/globals';
import { ADMIN_KEY, API_KEY } from './support/gateway.js';
import { dataUrl, formOf, png, postEdit } from './support/images.js';
import { useGatewayBefore } from './support/use-gateway.js';

const FLUX = 'bfl/flux-2-pro';
const GROK = 'xai/grok-imagine-image-quality';
const SMALL = png(640, 480);

describe('what an image costs where the provider says it', () => {
  const gateway = useGatewayBefore((url) => ({
    XAI_API_KEY: 'xai-key',
    XAI_BASE_URL: `${url}/xai/v1`,
    BFL_API_KEY: 'bfl-key',
    BFL_BASE_URL: `${url}/bfl/v1`,
  }));
  const { upstream } = gateway;
  let credits: unknown;
  beforeEach(() => {
    upstream.received.length = 0;
    upstream.answers((response, { method }) => {
      const ready = { status: 'Ready', result: { sample: 'https://i.example/1.png' } };
      const task = { id: '1', polling_url: `${upstream.url}/bfl/v1/get_result`, cost: credits };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(method === 'POST' ? task : ready));
    });
  });

  async function ask(method: string, path: string, body?: object, key = API_KEY): Promise<any> {
    const response = await fetch(`${gateway.url}/v3/${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(response.status).toBe(200);
    return { body: await response.json(), id: response.headers.get('x-request-id') };
  }
  const generate = (model: string, fields: object = {}) =>
    ask('POST', 'images/generations', { model, prompt: 'A cat', ...fields });

  it('is what the task was begun for, and no estimate', async () => {
    credits = 12.5;
    const { body, id } = await generate(FLUX);
    expect(body.cost).toBe(0.125);
    const { body: row } = await ask('GET', `admin/requests/${id}`, undefined, ADMIN_KEY);
    expect(row).toMatchObject({ cost: 0.125, estimated: false, images: 1 });
  });

  it('is the sum of all calls, where each says it', async () => {
    credits = 12.5;
    const { body } = await generate(FLUX, { n: 3 });
    expect([body.data.length, body.cost]).toEqual([3, 0.375]);
    expect(upstream.received.filter(({ method }) => method === 'POST')).toHaveLength(3);
  });

  it('is by the list, with all sources, where one call does not say it', async () => {
    let calls = 0;
    const told = [12.5, null];
    upstream.answers((response) => {
      const ready = { status: 'Ready', result: { sample: 'https://i.example/1.png' } };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ...ready, cost: told[calls++] }));
    });
    const parts = [
      ['image[]', SMALL],
      ['image[]', png(1440, 1440)],
    ] as const;
    const fields = formOf(['model', FLUX], ['prompt', 'x'], ['n', '2'], ...parts);
    const { status, body } = await postEdit(gateway.url, fields);
    // Twice 0.03 + (1 + 2) × 0.015, each as large as the first source.
    expect([status, body.data.length, body.cost]).toEqual([200, 2, 0.15]);
  });

  it('is read from xAI’s usage, which counts the sources', async () => {
    const data = [{ url: 'https://i.example/1.jpeg', mime_type: 'image/jpeg' }];
    upstream.replies(200, { data, usage: { cost_in_usd_ticks: 690000000 } });
    const images = [SMALL, SMALL].map((image) => ({ image_url: dataUrl(image) }));
    const { body } = await ask('POST', 'images/edits', { model: GROK, prompt: 'x', images });
    expect(body).toMatchObject({ cost: 0.069, output_format: 'jpeg', provider: 'xai' });
    upstream.replies(200, { data });
    const listed = await ask('POST', 'images/edits', { model: GROK, prompt: 'x', images });
    expect(listed.body.cost).toBe(0.07);
  });

  it('is the operator’s price, where he has one', async () => {
    credits = 12.5;
    const pricing = { output_cost_per_image: 0.5 };
    const path = `admin/models/${encodeURIComponent(FLUX)}`;
    await ask('PUT', path, { pricing }, ADMIN_KEY);
    expect((await generate(FLUX)).body.cost).toBe(0.5);
  });
});
