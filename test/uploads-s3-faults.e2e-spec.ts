import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeUpstream, type Received } from './support/fake-upstream.js';
import { API_KEY, type RunningGateway, startGateway } from './support/gateway.js';
import { png } from './support/images.js';
import { until } from './support/until.js';
import { upload, uploadedFiles } from './support/uploads.js';

const MODEL = 'openai/gpt-image-1';
const IMAGE = png(64, 64, Buffer.alloc(400_000, 7));

/** What keeps objects does it here by hand, so that it can do it badly. */
describe('A file in a bucket that an edit names, where the bucket', () => {
  const bucket = new FakeUpstream();
  const provider = new FakeUpstream();
  let gateway: RunningGateway;
  let fileId: string;
  beforeAll(async () => {
    await Promise.all([bucket.listen(), provider.listen()]);
    gateway = await startGateway({
      S3_ENDPOINT: bucket.url,
      S3_BUCKET: 'files',
      S3_REGION: 'eu-central-1',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'secret',
      OPENAI_API_KEY: 'openai-key',
      OPENAI_BASE_URL: `${provider.url}/v1`,
      UPSTREAM_TOTAL_TIMEOUT_MS: '2000',
    });
  });
  afterAll(async () => {
    await gateway.close();
    await Promise.all([bucket.close(), provider.close()]);
  });
  beforeEach(async () => {
    bucket.replies(200, {});
    provider.received.length = 0;
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    provider.replies(200, { created: 1, data: [{ b64_json: 'aQ==' }], usage });
    fileId = (await upload(gateway.url, { content: IMAGE })).body.file_id;
  });

  function edit(signal?: AbortSignal, ids = [fileId]) {
    return fetch(`${gateway.url}/v3/images/edits`, {
      method: 'POST',
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: MODEL,
        prompt: 'x',
        images: ids.map((file_id) => ({ file_id })),
      }),
      ...(signal && { signal }),
    });
  }
  /** Sends a byte now and then, which is no silence. */
  function drips(): Promise<Received> {
    return new Promise((asked) => {
      bucket.answers((response, request) => {
        response.writeHead(200, { 'content-length': IMAGE.length });
        const timer = setInterval(() => response.write('x'), 50);
        response.on('close', () => {
          clearInterval(timer);
        });
        asked(request);
      });
    });
  }
  const isReceived = (path: string) => path.startsWith('incoming');
  const nothingIsLeft = () =>
    until(() => bucket.open === 0 && !uploadedFiles(gateway.dataDir).some(isReceived));

  it.each([
    ['without a length', { 'transfer-encoding': 'identity' }],
    ['of which it says that it is all', { 'content-length': '300000' }],
  ] as [string, Record<string, string>][])(
    'gives a part %s says that it is away, and gives all later',
    async (_, headers) => {
      bucket.answers((response) => {
        response.writeHead(200, { connection: 'close', ...headers });
        response.end(IMAGE.subarray(0, 300_000));
      });
      expect([(await edit()).status, provider.received.length]).toEqual([503, 0]);
      bucket.answers((response) => void response.end(IMAGE));
      expect((await edit()).status).toBe(200);
      expect(provider.last.bytes.includes(IMAGE)).toBe(true);
    },
  );

  it('is slow ends with the time of the request', async () => {
    void drips();
    const answer = await edit();
    expect([answer.status, provider.received.length]).toEqual([504, 0]);
    await nothingIsLeft();
  });

  it('is slow is not read on for a caller who has left', async () => {
    const asked = drips();
    const hangUp = new AbortController();
    const left = edit(hangUp.signal).catch(() => undefined);
    await asked;
    hangUp.abort();
    await left;
    await nothingIsLeft();
    expect(provider.received).toEqual([]);
  });

  it('has several of them is asked for these at the same time', async () => {
    const other = (await upload(gateway.url, { content: png(32, 32) })).body.file_id;
    const waiting: (() => void)[] = [];
    bucket.answers((response, { path }) => {
      const image = path.endsWith(other) ? png(32, 32) : IMAGE;
      waiting.unshift(() => void response.end(image));
      if (waiting.length === 2) for (const answer of waiting) answer();
    });
    expect((await edit(undefined, [fileId, other])).status).toBe(200);
    const { bytes } = provider.last;
    expect(bytes.indexOf(IMAGE)).toBeGreaterThan(0);
    expect(bytes.indexOf(png(32, 32))).toBeGreaterThan(bytes.indexOf(IMAGE));
  });

  it('lacks one of them is not asked for the rest of the others', async () => {
    const other = (await upload(gateway.url, { content: IMAGE })).body.file_id;
    bucket.answers((response, { path }) => {
      if (path.endsWith(other)) {
        response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
        return;
      }
      response.writeHead(200, { 'content-length': IMAGE.length }).write('x');
    });
    const answer = await edit(undefined, [other, fileId]);
    const { error }: any = await answer.json();
    expect([answer.status, error.code, error.param]).toEqual([
      404,
      'file_not_found',
      'images[0].file_id',
    ]);
    await nothingIsLeft();
  });
});
