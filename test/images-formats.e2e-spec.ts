import { beforeEach, describe, expect, it } from '@jest/globals';
import { readdir } from 'node:fs/promises';
import supertest from 'supertest';
import { ImageStore } from '../src/images/image-store.service.js';
import { API_KEY, type RunningGateway, startGateway } from './support/gateway.js';
import { dataUrl, jpeg, png } from './support/images.js';
import { metric } from './support/metric.js';
import { startS3 } from './support/s3-server.js';
import { until } from './support/until.js';
import { useGateway } from './support/use-gateway.js';

const PATH = '/v3/images/generations';
const MODEL = 'openai/gpt-image-1';
const IMAGE = png(640, 480);
const PHOTO = jpeg(30, 20);

describe('the form in which images are given', () => {
  const gateway = useGateway();
  const { upstream, post } = gateway;
  const make = (fields: object) => post(PATH, { model: MODEL, prompt: 'x', ...fields });
  beforeEach(() => {
    upstream.replies(200, { created: 1, data: [{ b64_json: IMAGE.toString('base64') }] });
  });

  it('counts the memory of an image that is fetched until the answer is sent', async () => {
    const buffered = () => metric(gateway, 'causeway_buffered_bytes');
    const large = png(640, 480, Buffer.alloc(1_000_000));
    let seen = 0;
    upstream.answers(async (response, { method, path }) => {
      // The other one is fetched at the same time.
      if (path === '/2.png') await until(async () => (seen = await buffered()) > 2 * large.length);
      const data = [1, 2].map((at) => ({ url: `${upstream.url}/${at}.png` }));
      response.end(method === 'GET' ? large : JSON.stringify({ created: 1, data }));
    });
    const { body } = await make({ n: 2, response_format: 'b64_json' }).expect(200);
    expect(body.data[1].b64_json).toBe(large.toString('base64'));
    expect(seen).toBeGreaterThan(2 * large.length);
    await until(async () => (await buffered()) === 0);
  });

  it('fetches four images at once, and gives them in their order', async () => {
    const made = [1, 2, 3, 4, 5].map((at) => png(at, 8));
    const waiting: (() => void)[] = [];
    upstream.answers((response, { method, path }) => {
      if (method === 'GET') {
        const send = () => void response.end(made[Number(path.slice(1))]);
        // The last of them comes alone, when the others are there.
        if (path === '/4') send();
        else if (waiting.unshift(send) === 4) for (const answer of waiting) answer();
        return;
      }
      const data = made.map((_, at) => ({ url: `${upstream.url}/${at}` }));
      response.end(JSON.stringify({ created: 1, data }));
    });
    const { body } = await make({ n: 5, response_format: 'b64_json' }).expect(200);
    const given = body.data.map((image: { b64_json: string }) => image.b64_json);
    expect(given).toEqual(made.map((image) => image.toString('base64')));
    expect(body.size).toBe('1x8');
  });

  it('counts a call once whose caller leaves while its image is fetched', async () => {
    const asked = Promise.withResolvers<undefined>();
    upstream.answers((response, { method }) => {
      if (method === 'GET') {
        asked.resolve(undefined);
        return;
      }
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ created: 1, data: [{ url: `${upstream.url}/x.png` }] }));
    });
    const leaving = new AbortController();
    const call = fetch(gateway.url + PATH, {
      method: 'POST',
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, prompt: 'x', response_format: 'b64_json' }),
      signal: leaving.signal,
    });
    const calls = (outcome: string) =>
      metric(
        gateway,
        `causeway_calls_total{endpoint="/images/generations",provider="openai",model="${MODEL}",outcome="${outcome}"}`,
      );
    await asked.promise;
    const before = await calls('ok');
    expect(before).toBeGreaterThan(0);
    leaving.abort();
    await expect(call).rejects.toThrow();
    await until(() => upstream.open === 0);
    // By then whatever was to be written is.
    upstream.replies(400, {});
    await make({}).expect(400);
    expect([await calls('ok'), await calls('client_closed')]).toEqual([before, 0]);
  });

  it('keeps an image itself where the provider gives no addresses, and an address is asked for', async () => {
    const { body, headers } = await make({ response_format: 'url' }).expect(200);
    expect(body.data).toEqual([
      { url: expect.stringMatching(/^http:\/\//), b64_json: null, revised_prompt: null },
    ]);
    expect(body).toMatchObject({ output_format: 'png', size: '640x480', provider: 'openai' });
    expect(upstream.last.body).not.toHaveProperty('response_format');
    expect(headers['x-causeway-cost']).toMatch(/\d/);

    const response = await fetch(body.data[0].url);
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(IMAGE);
    const { headers: told } = response;
    expect(told.get('content-type')).toBe('image/png');
    expect(told.get('content-length')).toBe(String(IMAGE.length));
    expect(told.get('x-content-type-options')).toBe('nosniff');
    expect(told.get('content-security-policy')).toContain('sandbox');
    const [, seconds] = /^private, max-age=(\d+), immutable$/.exec(
      told.get('cache-control') ?? '',
    )!;
    expect(Number(seconds)).toBeGreaterThan(86_000);
    const head = await fetch(body.data[0].url, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('gives every image an address of its own', async () => {
    const data = [IMAGE, PHOTO].map((image) => ({ b64_json: image.toString('base64') }));
    upstream.replies(200, { created: 1, data, output_format: 'png', size: '640x480' });
    const { body } = await make({ response_format: 'url', n: 2 }).expect(200);
    const urls = body.data.map(({ url }: { url: string }) => url);
    expect(new Set(urls).size).toBe(2);
    const types = await Promise.all(
      urls.map(async (url: string) => (await fetch(url)).headers.get('content-type')),
    );
    expect(types).toEqual(['image/png', 'image/jpeg']);
  });

  it('shows an image to nobody who made its address up', async () => {
    const { body } = await make({ response_format: 'url' }).expect(200);
    const good = new URL(body.data[0].url);
    const wrong = [
      good.href.replace(/signature=.{4}/, 'signature=AAAA'),
      good.href.replace(/\?.*/, ''),
      good.href.replace(/files\/\d/, 'files/9'),
      good.href.replace(/\.png/, '.gif'),
      `${good.origin}/v3/images/files/..%2f..%2fcauseway.db${good.search}`,
      `${good.origin}/v3/images/files/x${good.search}&signature=x`,
    ];
    for (const url of wrong) {
      const response = await fetch(url);
      expect([url, response.status]).toEqual([url, 404]);
      expect(await response.json()).toMatchObject({ error: { code: 'file_not_found' } });
    }
  });

  it('leaves no file behind that nobody has the address of', async () => {
    await make({}).expect(200);
    const before = (await readdir(`${gateway.dataDir}/images`)).length;
    await make({ response_format: 'b64_json' }).expect(200);
    expect((await readdir(`${gateway.dataDir}/images`)).length).toBe(before);
    expect(await readdir(`${gateway.dataDir}/tmp`)).toEqual([]);
  });

  it('passes an address on where an address is asked for', async () => {
    const data = [{ url: 'https://images.example/1' }];
    upstream.replies(200, { created: 1, data });
    const { body } = await make({ model: 'openai/dall-e-3', response_format: 'url' }).expect(200);
    expect(body.data[0].url).toBe('https://images.example/1');
    expect(upstream.last.body.response_format).toBe('url');
  });

  it('reads an image at the provider’s own address when base64 is asked for', async () => {
    upstream.answers((response, { path }) => {
      if (path === '/files/1') {
        response.writeHead(200, { 'content-type': 'image/jpeg' }).end(PHOTO);
        return;
      }
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ created: 1, data: [{ url: `${upstream.url}/files/1` }] }));
    });
    const { body } = await make({ model: 'openai/dall-e-3', response_format: 'b64_json' });
    expect(body).toMatchObject({
      data: [{ b64_json: PHOTO.toString('base64'), url: null }],
      output_format: 'jpeg',
      size: '30x20',
    });
    expect(upstream.last.headers.authorization).toBeUndefined();
  });

  it('takes the bytes out of an address that holds them', async () => {
    upstream.replies(200, { created: 1, data: [{ url: dataUrl(IMAGE) }] });
    const { body } = await make({ model: 'openai/dall-e-3', response_format: 'b64_json' });
    expect(body.data[0]).toMatchObject({ b64_json: IMAGE.toString('base64'), url: null });
  });

  it.each([
    ['loopback elsewhere', 'https://127.0.0.1:1/x.png'],
    ['plain http elsewhere', 'http://127.0.0.1:1/x.png'],
    ['metadata', 'https://169.254.169.254/latest'],
  ])(
    'dials no address of %s that an answer points to, and gives it as it is',
    async (_what, url) => {
      upstream.replies(200, { created: 1, data: [{ url }] });
      const { body } = await make({ model: 'openai/dall-e-3', response_format: 'b64_json' });
      expect(body.data).toEqual([{ url, b64_json: null, revised_prompt: null }]);
    },
  );
});

describe('the address of a kept image', () => {
  const gateway = useGateway({ PUBLIC_URL: 'https://gateway.example' });

  it('begins as PUBLIC_URL says', async () => {
    const { body } = await gateway
      .post(PATH, { model: 'sandbox/image', prompt: 'x', size: '8x8', response_format: 'url' })
      .expect(200);
    expect(body.data[0].url).toMatch(/^https:\/\/gateway\.example\/v3\/images\/files\/\d{10}-/);
  });
});

describe('an image that is kept', () => {
  const DAY_MS = 86_400_000;
  const kept = async (gateway: RunningGateway) => {
    const { body } = await supertest(gateway.url)
      .post(PATH)
      .set('authorization', `Bearer ${API_KEY}`)
      .send({ model: 'sandbox/image', prompt: 'x', size: '8x8', response_format: 'url' })
      .expect(200);
    return body.data[0].url as string;
  };

  it('is there for a day and no longer', async () => {
    const gateway = await startGateway();
    const url = await kept(gateway);
    const store = gateway.app.get(ImageStore, { strict: false });
    await store.sweep(Date.now() + DAY_MS - 60_000);
    expect((await fetch(url)).status).toBe(200);
    await store.sweep(Date.now() + DAY_MS + 1_000);
    expect((await fetch(url)).status).toBe(404);
    expect(await readdir(`${gateway.dataDir}/images`)).toEqual([]);
    await gateway.close();
  });

  it('lies in the bucket where there is one, and leaves it again', async () => {
    const s3 = await startS3();
    const gateway = await startGateway(s3.settings);
    const objects = async () =>
      (await readdir(s3.directory, { recursive: true })).filter((name) => /\.png\._S3/.test(name));
    const url = await kept(gateway);
    expect(await objects()).not.toEqual([]);
    const response = await fetch(url);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(Buffer.from(await response.arrayBuffer()).toString('latin1', 1, 4)).toBe('PNG');
    await gateway.app.get(ImageStore, { strict: false }).sweep(Date.now() + DAY_MS + 1_000);
    expect(await objects()).toEqual([]);
    expect((await fetch(url)).status).toBe(404);
    await gateway.close();
    await s3.close();
  });
});

describe('more images than a provider makes at once', () => {
  const { upstream, post } = useGateway();
  const make = (fields: object) => post(PATH, { model: 'openai/dall-e-3', prompt: 'x', ...fields });
  let calls: number;
  beforeEach(() => {
    calls = 0;
    upstream.received.length = 0;
    upstream.answers((response) => {
      calls += 1;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ created: 7, data: [{ url: `https://images.example/${calls}` }] }),
      );
    });
  });

  it('are several calls and one answer, with every image paid for', async () => {
    const { body } = await make({ n: 3, size: '1024x1024', user: 'u', unknown: [1] }).expect(200);
    expect(body.data).toHaveLength(3);
    expect(new Set(body.data.map(({ url }: { url: string }) => url)).size).toBe(3);
    expect(body).toMatchObject({ created: 7, cost: 0.12, size: '1024x1024' });
    expect(upstream.received.map((request) => request.body)).toEqual(
      Array(3).fill({
        ...{ model: 'dall-e-3', prompt: 'x', n: 1, size: '1024x1024', user: 'u', unknown: [1] },
      }),
    );
  });

  it('are refused where each call would make the same image again', async () => {
    const { body } = await make({ n: 2, seed: 1 }).expect(400);
    expect(body.error).toMatchObject({ param: 'n', code: 'invalid_value' });
    expect(calls).toBe(0);
    await make({ n: 1, seed: 1 }).expect(200);
  });

  it('are not asked for any more when one call has failed', async () => {
    upstream.replies(400, { error: { message: 'no', type: 'invalid_request_error' } });
    await make({ n: 10 }).expect(400);
    expect(upstream.received.length).toBeLessThanOrEqual(4);
  });
});
