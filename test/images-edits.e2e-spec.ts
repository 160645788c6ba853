import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  dataUrl,
  fileIn,
  formIn,
  formOf,
  jpeg,
  type Part,
  png,
  postEdit,
  type Sendable,
} from './support/images.js';
import { fundedAccount } from './support/credit.js';
import { FakeUpstream } from './support/fake-upstream.js';
import { ADMIN_KEY, API_KEY } from './support/gateway.js';
import { ask, END, filePart, longPart, sendPieces, textPart, upload } from './support/uploads.js';
import { useGateway } from './support/use-gateway.js';
import { workedMs } from './support/worked-ms.js';

const CANVAS = png(64, 32);
const OTHER = jpeg(20, 10);
const MASK = png(64, 32, Buffer.from('mask'));
const MODEL = 'openai/gpt-image-1';
const ANSWER = { created: 1, data: [{ b64_json: png(8, 8).toString('base64') }] };

describe('POST /v3/images/edits', () => {
  const gateway = useGateway();
  const { upstream, post } = gateway;
  const edit = (body: Sendable, headers?: Record<string, string>) =>
    postEdit(gateway.url, body, headers);
  const form = (...parts: readonly Part[]) =>
    edit(formOf(['model', MODEL], ['prompt', 'night'], ...parts));
  /** A form of parts as they are sent: making a large `FormData` costs more than refusing it. */
  const bytes = (...parts: readonly Buffer[]) =>
    sendPieces(`${gateway.url}/v3/images/edits`, [textPart('model', MODEL), ...parts, END]);
  beforeEach(() => {
    upstream.received.length = 0;
    upstream.replies(200, ANSWER);
  });

  describe('as a form', () => {
    it('hands one file on as a file, and never as a string (L#41421, L#39512, L#41602)', async () => {
      const { status, body } = await form(['image', CANVAS, 'canvas.png']);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        ...ANSWER,
        output_format: 'png',
        size: '8x8',
        provider: 'openai',
      });
      expect(upstream.last).toMatchObject({ method: 'POST', path: '/openai/v1/images/edits' });
      const sent = await formIn(upstream.last);
      expect([...sent.keys()]).toEqual(['model', 'prompt', 'image']);
      expect(sent.get('model')).toBe('gpt-image-1');
      expect(await fileIn(sent.get('image'))).toEqual({
        bytes: CANVAS,
        name: 'canvas.png',
        type: 'image/png',
      });
    });

    it('says its own cost and provider once, whatever the provider calls so', async () => {
      upstream.replies(200, { ...ANSWER, cost: 99, provider: 'x', causeway_metadata: {} });
      const answer = await fetch(`${gateway.url}/v3/images/edits`, {
        method: 'POST',
        headers: { authorization: `Bearer ${API_KEY}` },
        body: formOf(['model', MODEL], ['prompt', 'night'], ['image', CANVAS]),
      });
      const text = await answer.text();
      const told = [...text.matchAll(/"(?:cost|provider|causeway_metadata)":("?[^",}]*)/g)];
      expect(told.map(([, value]) => value)).toEqual([expect.not.stringMatching('99'), '"openai']);
    });

    it('says how long its own form is', async () => {
      await form(['image', CANVAS]);
      const { headers, bytes } = upstream.last;
      expect(headers['content-length']).toBe(String(bytes.length));
      expect(headers['transfer-encoding']).toBeUndefined();
      expect(headers.authorization).toBe('Bearer upstream-openai-key');
    });

    it.each([
      ['image[]', ['image[]', 'image[]', 'image[]']],
      ['image, repeated', ['image', 'image', 'image']],
      ['image[0]', ['image[0]', 'image[1]', 'image[2]']],
    ])(
      'takes several files as %s and forwards every one, in order (L#17045, L#41625, L#41697, n#1159)',
      async (_, names) => {
        const files = [CANVAS, OTHER, png(3, 3)];
        const { status } = await form(
          ...names.map((name, index) => [name, files[index]!] as const),
        );
        expect(status).toBe(200);
        const sent = (await formIn(upstream.last)).getAll('image[]');
        expect((await Promise.all(sent.map(fileIn))).map(({ bytes }) => bytes)).toEqual(files);
      },
    );

    it('puts numbered files into the order of their numbers', async () => {
      await form(['image[1]', OTHER], ['image[0]', CANVAS]);
      const [first] = (await formIn(upstream.last)).getAll('image[]');
      expect((await fileIn(first)).bytes).toEqual(CANVAS);
    });

    it('takes a mask, also in front of the image (L#26552)', async () => {
      const { status } = await form(['mask', MASK, 'mask.png'], ['image', CANVAS]);
      expect(status).toBe(200);
      const sent = await formIn(upstream.last);
      expect((await fileIn(sent.get('mask'))).bytes).toEqual(MASK);
      expect((await fileIn(sent.get('image'))).bytes).toEqual(CANVAS);
    });

    it('takes its parts in any order, the model last', async () => {
      const parts = formOf(['image', CANVAS], ['n', '2'], ['prompt', 'x'], ['model', MODEL]);
      expect((await edit(parts)).status).toBe(200);
      expect((await formIn(upstream.last)).get('n')).toBe('2');
    });

    it('hands every field on: quality, background, and those it has not heard of (n#4273)', async () => {
      const fields = {
        ...{ n: '2', size: '1024x1024', quality: 'low', background: 'transparent' },
        ...{ output_format: 'webp', output_compression: '50', input_fidelity: 'high' },
        ...{ moderation: 'low', user: 'user-1', brand_new: 'ö \u{1f600}', 'deep[a][b]': 'c' },
      };
      const { status } = await form(['image', CANVAS], ...Object.entries(fields));
      expect(status).toBe(200);
      const sent = await formIn(upstream.last);
      for (const [name, value] of Object.entries(fields))
        expect([name, sent.get(name)]).toEqual([name, value]);
    });

    it('gathers a list that a form repeats', async () => {
      await form(['image', CANVAS], ['tags[]', 'a'], ['tags[]', 'b']);
      expect((await formIn(upstream.last)).getAll('tags[]')).toEqual(['a', 'b']);
    });

    it('keeps metadata[…] to itself, where an object is rebuilt of it', async () => {
      const { status, headers } = await form(
        ['image', CANVAS],
        ['metadata[team]', 'blue'],
        ['metadata[__proto__]', 'x'],
      );
      expect(status).toBe(200);
      const sent = await formIn(upstream.last);
      expect([...sent.keys()].filter((key) => key.startsWith('metadata'))).toEqual([]);
      expect(headers.get('x-request-id')).toMatch(/./);
      expect(({} as Record<string, unknown>).x).toBeUndefined();
    });

    it('takes null for an object that is not there', async () => {
      const { status } = await form(['image', CANVAS], ['metadata', 'null'], ['routing', 'null']);
      expect(status).toBe(200);
    });

    it('sends extra_headers[…] as headers', async () => {
      await form(['image', CANVAS], ['extra_headers[x-own]', 'yes']);
      expect(upstream.last.headers['x-own']).toBe('yes');
      const { status, body } = await form(['image', CANVAS], ['extra_headers[authorization]', 'x']);
      expect([status, body.error.param]).toEqual([400, 'extra_headers']);
    });

    it('tells a file by its bytes, whatever was declared', async () => {
      await form(['image', OTHER, 'photo.png', 'image/png']);
      const { type } = await fileIn((await formIn(upstream.last)).get('image'));
      expect(type).toBe('image/jpeg');
    });

    it('uses no name of the caller’s that could mean anything', async () => {
      await form(['image', CANVAS, `../../etc/passwd`]);
      expect(upstream.last.text).toContain('filename="passwd"');
      await form(['image', CANVAS, 'a\\b"; filename="c']);
      expect(upstream.last.text).toContain('filename="image.png"');
    });

    it.each([
      ['no image', [], 'image', 'missing_required_parameter'],
      ['an image as a text', [['image', 'https://x/a.png']], 'image', 'invalid_type'],
      ['a file of another name', [['picture', CANVAS]], 'picture', 'unsupported_parameter'],
      [
        'two masks',
        [
          ['image', CANVAS],
          ['mask', MASK],
          ['mask', MASK],
        ],
        'mask',
        'invalid_value',
      ],
      ['17 images', Array(17).fill(['image[]', CANVAS]), 'image[]', 'invalid_value'],
      ['a zip', [['image', Buffer.from('PK\x03\x04 and so on')]], 'image', 'invalid_value'],
      ['an svg', [['image', Buffer.from('<svg xmlns="x"/>')]], 'image', 'invalid_value'],
      ['an empty file', [['image', Buffer.alloc(0)]], 'image', 'invalid_value'],
      ['a bomb', [['image', png(65535, 65535)]], 'image', 'invalid_value'],
      [
        'a mask of another size',
        [
          ['image', CANVAS],
          ['mask', png(1, 1)],
        ],
        'mask',
        'invalid_value',
      ],
      [
        'a model sent twice',
        [
          ['image', CANVAS],
          ['model', 'a/b'],
        ],
        'model',
        'invalid_value',
      ],
      [
        'n that is no number',
        [
          ['image', CANVAS],
          ['n', 'two'],
        ],
        'n',
        'invalid_type',
      ],
      [
        'n of 11',
        [
          ['image', CANVAS],
          ['n', '11'],
        ],
        'n',
        'invalid_value',
      ],
      [
        'n of 1.5',
        [
          ['image', CANVAS],
          ['n', '1.5'],
        ],
        'n',
        'invalid_type',
      ],
      [
        'stream that is no flag',
        [
          ['image', CANVAS],
          ['stream', 'maybe'],
        ],
        'stream',
        'invalid_type',
      ],
      [
        'fallbacks',
        [
          ['image', CANVAS],
          ['fallbacks[]', 'a/b'],
        ],
        'fallbacks',
        'unsupported_parameter',
      ],
      [
        'numbered fallbacks',
        [
          ['image', CANVAS],
          ['fallbacks[0]', 'a/b'],
        ],
        'fallbacks',
        'unsupported_parameter',
      ],
      [
        'numbered candidates',
        [
          ['image', CANVAS],
          ['router_candidates[0]', 'a/b'],
        ],
        'router_candidates',
        'unsupported_parameter',
      ],
      [
        'metadata that is none',
        [
          ['image', CANVAS],
          ['metadata', 'x'],
        ],
        'metadata',
        'invalid_type',
      ],
    ] as [string, Part[], string, string][])('refuses %s', async (_what, parts, param, code) => {
      const { status, body } = await form(...parts);
      expect([status, body.error.param, body.error.code]).toEqual([400, param, code]);
      expect(upstream.received).toEqual([]);
    });

    it('counts the prompt in code points', async () => {
      const long = (length: number) =>
        edit(formOf(['model', MODEL], ['prompt', '😀'.repeat(length)], ['image', CANVAS]));
      expect((await long(32_000)).status).toBe(200);
      const { status, body } = await long(32_001);
      expect([status, body.error.param]).toEqual([400, 'prompt']);
    });

    it('leaves out what a browser sends for an empty field', async () => {
      // Pages that write the form themselves, such as Swagger UI, have a text in the place of no file.
      const masks: Part[] = [
        ['mask', Buffer.alloc(0), '', 'application/octet-stream'],
        ['mask', ''],
      ];
      for (const mask of masks) {
        const { status } = await form(
          ['image', CANVAS],
          mask,
          ['n', ''],
          ['size', ''],
          ['metadata', ''],
          ['extra_headers', ''],
        );
        expect(status).toBe(200);
        const sent = await formIn(upstream.last);
        expect([...sent.keys()]).toEqual(['model', 'prompt', 'image']);
      }
    });

    it('refuses a body that is no whole form with 400', async () => {
      const type = 'multipart/form-data; boundary=b';
      const part = '--b\r\ncontent-disposition: form-data; name="model"\r\n\r\nopenai/x\r\n';
      const broken: [string, string][] = [
        ['multipart/form-data', `${part}--b--\r\n`],
        ['multipart/form-data; boundary=', `${part}--b--\r\n`],
        ['multipart/form-data; boundary=other', `${part}--b--\r\n`],
        [type, part],
        [type, ''],
        [type, '--b\r\n\r\nx\r\n--b--\r\n'],
        [type, '--b\r\ncontent-disposition: form-data\r\n\r\nx\r\n--b--\r\n'],
        [`multipart/form-data; boundary=${'b'.repeat(10_000)}`, part],
      ];
      for (const [contentType, text] of broken) {
        const { status, body } = await edit(text, { 'content-type': contentType });
        expect([contentType.slice(0, 60), text, status]).toEqual([
          contentType.slice(0, 60),
          text,
          400,
        ]);
        expect(body.error.type).toBe('invalid_request_error');
      }
    });

    it('refuses a form that is cut anywhere', async () => {
      const whole = new Response(formOf(['model', MODEL], ['prompt', 'x'], ['image', CANVAS]));
      const type = whole.headers.get('content-type') ?? '';
      const bytes = Buffer.from(await whole.arrayBuffer());
      for (let length = 0; length < bytes.length - 4; length += 23) {
        const { status } = await edit(bytes.subarray(0, length), { 'content-type': type });
        expect([length, status]).toEqual([length, 400]);
      }
    });

    it.each([
      ['10,000 fields', Array.from({ length: 10_000 }, (_, at) => textPart(`f${at}`, 'x')), 400],
      ['2,000 files', Array<Buffer>(2_000).fill(filePart(CANVAS, 'a.png', 'image[]')), 400],
      ['a field of 20 MB', longPart(textPart('prompt', ''), 20_000_000), 413],
      ['names that nest 5,000 deep', [textPart(`a${'[b]'.repeat(5_000)}`, 'x')], 400],
    ])('refuses %s at once', async (_what, parts, expected) => {
      const ms = await workedMs(async () => {
        const { status } = await bytes(...parts, filePart(CANVAS, 'a.png', 'image'));
        expect(status).toBe(expected);
      });
      expect(ms).toBeLessThan(2_000);
    });

    it('refuses a file of more than 50 MB with 413', async () => {
      const { status, body } = await bytes(
        textPart('prompt', 'night'),
        ...longPart(filePart('', 'a.png', 'image'), 52_428_801),
      );
      expect([status, body.error.code]).toEqual([413, 'request_too_large']);
    });
  });

  it.each([
    ['text/plain', undefined],
    ['application/x-www-form-urlencoded', undefined],
    ['multipart/mixed; boundary=b', undefined],
    ['application/octet-stream', undefined],
    ['multipart/form-data; boundary=b', 'gzip'],
  ])('answers 415 to %s %s', async (type, encoding) => {
    const headers = { 'content-type': type, ...(encoding && { 'content-encoding': encoding }) };
    const { status, body } = await edit('a=b', headers);
    expect([status, body.error.code]).toEqual([415, 'unsupported_media_type']);
  });

  it('answers 415 to a body without a content type', async () => {
    const { status, body } = await edit(new Blob(['{}']));
    expect([status, body.error.code]).toEqual([415, 'unsupported_media_type']);
  });

  describe('as JSON', () => {
    const json = (images: object[], more: object = {}) =>
      post('/v3/images/edits', { model: MODEL, prompt: 'x', images, ...more });

    it('takes JSON as it takes forms, and passes it on byte for byte (openclaw#118561)', async () => {
      const { body } = await json([{ image_url: dataUrl(CANVAS) }], {
        mask: { image_url: dataUrl(MASK) },
        unknown: { a: [1] },
      }).expect(200);
      expect(body).toMatchObject({ ...ANSWER, size: '8x8' });
      expect(upstream.last.headers['content-type']).toBe('application/json');
      expect(upstream.last.body).toEqual({
        model: 'gpt-image-1',
        prompt: 'x',
        images: [{ image_url: dataUrl(CANVAS) }],
        mask: { image_url: dataUrl(MASK) },
        unknown: { a: [1] },
      });
    });

    it.each([
      ['http', 'http://x.org/a.png', 'invalid_image_url'],
      ['file', 'file:///etc/passwd', 'invalid_image_url'],
      ['an svg', dataUrl(Buffer.from('<svg/>'), 'image/svg+xml'), 'invalid_image_url'],
      ['data without base64', 'data:image/png,abc', 'invalid_image_url'],
      ['https', 'https://x.org/a.png', 'remote_url_not_supported'],
      ['https to loopback', 'https://127.0.0.1/a.png', 'remote_url_not_supported'],
    ])('refuses %s', async (_what, url, code) => {
      for (const [param, body] of [
        ['images[1].image_url', { images: [{ image_url: dataUrl(CANVAS) }, { image_url: url }] }],
        ['mask.image_url', { images: [{ image_url: dataUrl(CANVAS) }], mask: { image_url: url } }],
      ] as const) {
        const { body: answer } = await post('/v3/images/edits', {
          model: MODEL,
          prompt: 'x',
          ...body,
        }).expect(400);
        expect([answer.error.param, answer.error.code]).toEqual([param, code]);
      }
      expect(upstream.received).toEqual([]);
    });

    it.each([
      ['text that is declared as an image', dataUrl(Buffer.from('hello hello hello'))],
      ['a bomb', dataUrl(png(50_000, 50_000))],
    ])('refuses %s', async (_what, url) => {
      const { body } = await json([{ image_url: url }]).expect(400);
      expect(body.error).toMatchObject({ param: 'images[0].image_url', code: 'invalid_value' });
    });

    it('knows no upload that is not there', async () => {
      const { body } = await json([{ file_id: '0b6f1f2e-8d0c-4c53-9a57-3f1f6a1d2c4b' }]).expect(
        404,
      );
      expect(body.error).toMatchObject({ param: 'images[0].file_id', code: 'file_not_found' });
    });

    it('sends uploads as files, with a mask (theopenco#1756)', async () => {
      const uploaded = async (bytes: Buffer, name: string) => {
        const response = await fetch(`${gateway.url}/v3/upload`, {
          method: 'POST',
          headers: { authorization: `Bearer cw_live_test-key-0123456789abcdef` },
          body: formOf(['file', bytes, name]),
        });
        return ((await response.json()) as { file_id: string }).file_id;
      };
      const [canvas, mask] = [await uploaded(CANVAS, 'a.png'), await uploaded(MASK, 'b.png')];
      await json([{ file_id: canvas }, { image_url: dataUrl(OTHER, 'image/jpeg') }], {
        mask: { file_id: mask },
        n: 1,
      }).expect(200);
      const sent = await formIn(upstream.last);
      const files = await Promise.all([...sent.getAll('image[]'), sent.get('mask')].map(fileIn));
      expect(files.map(({ bytes }) => bytes)).toEqual([CANVAS, OTHER, MASK]);
      expect(sent.get('n')).toBe('1');
    });
  });
});

describe('an edit whose file is deleted while it runs', () => {
  const gateway = useGateway({ BREAKER: 'on' });
  const { upstream } = gateway;

  it('is told so, and its model is not said to fail', async () => {
    const uploaded = await upload(gateway.url, { content: CANVAS, type: 'image/png' });
    const { file_id } = uploaded.body;
    upstream.answers(async (response) => {
      await ask(gateway.url, `DELETE /v3/upload/${file_id}`);
      response.writeHead(429, { 'retry-after-ms': '1' }).end();
    });
    const json = { model: MODEL, prompt: 'x', images: [{ file_id }] };
    const { status, headers, body } = await ask(gateway.url, 'POST /v3/images/edits', { json });
    expect([status, body.error.code]).toEqual([404, 'file_not_found']);
    expect(headers.get('x-causeway-attempts')).toBe(`${MODEL}:429, ${MODEL}:no_answer`);
    const { body: providers } = await ask(gateway.url, 'GET /v3/admin/providers', {
      key: ADMIN_KEY,
    });
    const { models } = providers.data.find(({ name }: { name: string }) => name === 'openai');
    expect(models).toMatchObject([{ model: MODEL, failures: 0 }]);
  });
});

describe('an edit that its account cannot pay for', () => {
  const gateway = useGateway();

  it('is refused by what all its images may cost, before it leaves', async () => {
    const oneImage = 10_000_000_000n;
    const { key } = await fundedAccount(gateway, oneImage);
    const edit = (n: string) =>
      postEdit(
        gateway.url,
        formOf(
          ['model', 'sandbox/image'],
          ['prompt', 'x'],
          ['size', '8x8'],
          ['n', n],
          ['image', CANVAS],
        ),
        { authorization: `Bearer ${key}` },
      );
    const { status, body } = await edit('2');
    expect([status, body.error.code]).toEqual([402, 'insufficient_credits']);
    expect(await edit('1')).toMatchObject({ status: 200, body: { cost: 0.01 } });
    expect((await edit('1')).status).toBe(402);
  });
});

describe('IMAGE_FETCH', () => {
  const gateway = useGateway({ IMAGE_FETCH: 'on' });

  it('reaches nothing that is not public, and says the same of all of it', async () => {
    const canary = new FakeUpstream();
    await canary.listen();
    const { port } = new URL(canary.url);
    const hosts = [
      `127.0.0.1:${port}`,
      ...['127.0.0.1:1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '[64:ff9b::7f00:1]'],
      ...['10.0.0.1', '100.64.0.1', '169.254.169.254', '[2002:7f00:1::]', '0x7f.1', '2130706433'],
    ];
    const answers = await Promise.all(
      hosts.map(async (host) => {
        const images = [{ image_url: `https://${host}/a.png` }];
        const { status, body } = await gateway.post('/v3/images/edits', {
          ...{ model: MODEL, prompt: 'x', images },
        });
        return JSON.stringify([status, body]);
      }),
    );
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toContain('"code":"invalid_image_url"');
    expect(answers[0]).toMatch(/^\[400,/);
    expect(canary.received).toEqual([]);
    expect(gateway.upstream.received).toEqual([]);
    await canary.close();
  });
});
