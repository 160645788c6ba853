import { describe, expect, it } from '@jest/globals';
import { readForm, SourceFile } from './form.js';
import { editImages, generateImages } from './images.js';

const created = 1_700_000_000;
const PNG = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==';
const JPEG = 'data:image/jpeg;base64,/9j/4AAQSkZJRg==';

describe('OpenAI images', () => {
  it('draws the usual size and answers in the shape of the API', async () => {
    const answer = await generate({ prompt: 'a fox', quality: 'low' });
    expect(answer).toEqual({
      created,
      background: 'opaque',
      data: [{ b64_json: expect.any(String) }],
      output_format: 'png',
      quality: 'low',
      size: '1024x1024',
      usage: {
        total_tokens: 1026,
        input_tokens: 2,
        output_tokens: 1024,
        input_tokens_details: { text_tokens: 2, image_tokens: 0 },
      },
    });
    expect(sizeOf(answer.data[0]!.b64_json)).toEqual([1024, 1024]);
  });

  it.each([
    ['auto', 1024, 1024],
    [null, 1024, 1024],
    ['1x1', 1, 1],
    ['1536x1024', 1536, 1024],
    ['4096x4096', 4096, 4096],
  ])('draws size %s', async (size, width, height) => {
    const answer = await generate({ prompt: 'a fox', size });
    expect(sizeOf(answer.data[0]!.b64_json)).toEqual([width, height]);
    expect(answer.size).toBe(`${width}x${height}`);
  });

  it('draws the same for the same prompt, and differs by prompt and by image', async () => {
    const size = '64x64';
    const foxes = await generate({ prompt: 'a fox', size, n: 10 });
    expect(await generate({ prompt: 'a fox', size, n: 10 })).toEqual(foxes);
    const owls = await generate({ prompt: 'an owl', size, n: 10 });
    const all = [...foxes.data, ...owls.data].map(({ b64_json }) => b64_json);
    expect(new Set(all).size).toBe(20);
  });

  it.each([
    [{ prompt: 'a', size: '1024' }, 'size'],
    [{ prompt: 'a', size: '0x10' }, 'size'],
    [{ prompt: 'a', size: '10x0' }, 'size'],
    [{ prompt: 'a', size: '4097x1' }, 'size'],
    [{ prompt: 'a', size: '1x4097' }, 'size'],
    [{ prompt: 'a', size: 1024 }, 'size'],
    [{ prompt: 'a', n: 0 }, 'n'],
    [{ prompt: 'a', n: 11 }, 'n'],
    [{ prompt: 'a', n: 1.5 }, 'n'],
    [{ prompt: 'a', partial_images: 4 }, 'partial_images'],
    [{ prompt: '' }, 'prompt'],
    [{}, 'prompt'],
  ])('refuses %j', async (body, param) => {
    await expect(generate(body)).rejects.toMatchObject({ status: 400, details: { param } });
  });

  it('streams an event an image, with previews when they are asked for', async () => {
    const body = { prompt: 'a fox', size: '8x8', stream: true };
    const { data } = await generate({ ...body, stream: false });
    const plain = await events(generateImages, body);
    expect(plain).toEqual([
      {
        type: 'image_generation.completed',
        b64_json: data[0]!.b64_json,
        created_at: created,
        size: '8x8',
        quality: 'auto',
        background: 'opaque',
        output_format: 'png',
        usage: expect.objectContaining({ input_tokens: 2, output_tokens: 1, total_tokens: 3 }),
      },
    ]);
    const edit = { ...body, images: [{ image_url: PNG }], partial_images: 2, n: 2 };
    expect((await events(editImages, edit)).map(({ type }) => type)).toEqual([
      'image_edit.partial_image',
      'image_edit.partial_image',
      'image_edit.completed',
      'image_edit.partial_image',
      'image_edit.partial_image',
      'image_edit.completed',
    ]);
  });
});

describe('OpenAI image edits', () => {
  it('draws from the prompt and the images, and counts them', async () => {
    const size = '8x8';
    const one = await edit({ prompt: 'a fox', size, images: [{ image_url: PNG }] });
    const mask = { image_url: PNG };
    const two = await edit({ prompt: 'a fox', size, images: [{ image_url: JPEG }], mask });
    expect(two.data).not.toEqual(one.data);
    expect(one.usage.input_tokens_details).toEqual({ text_tokens: 2, image_tokens: 256 });
    expect(two.usage.input_tokens_details).toEqual({ text_tokens: 2, image_tokens: 512 });
  });

  it.each([
    [[], 'images', 'invalid_value'],
    [Array(17).fill({ image_url: PNG }), 'images', 'invalid_value'],
    [[{ image_url: PNG }, {}], 'images[1].image_url', 'invalid_value'],
    [[{ image_url: 'https://x.org/a.png' }], 'images[0].image_url', 'remote_url_not_supported'],
    [[{ image_url: 'http://x.org/a.png' }], 'images[0].image_url', 'invalid_image_url'],
    [[{ image_url: 'data:image/png,x' }], 'images[0].image_url', 'invalid_image_url'],
    [
      [{ image_url: 'data:text/plain;base64,iVBORw0KGgo=' }],
      'images[0].image_url',
      'invalid_image_url',
    ],
    [[{ image_url: 'data:image/png;base64,AAAAAAAAAAAAAAAA' }], 'images[0]', 'invalid_value'],
  ])('refuses %j', (images, param, code) => {
    expect(() => editImages({ body: { prompt: 'a', images }, created })).toThrow(
      expect.objectContaining({ status: 400, details: { param, code } }),
    );
  });

  it('takes a form, whatever the images are called in it', async () => {
    const form = new FormData();
    form.set('model', 'image');
    form.set('prompt', 'a fox');
    form.set('n', '2');
    form.set('stream', 'false');
    form.set('size', '8x8');
    for (const name of ['image', 'image[]', 'image[]', 'image[2]']) {
      form.append(name, new Blob([Buffer.from(PNG.slice(22), 'base64')]), 'a.png');
    }
    form.set('mask', new Blob([Buffer.from('\r\n\r\n--no image')]), 'm.png');
    const response = new Response(form);
    const type = response.headers.get('content-type') ?? '';
    const bytes = Buffer.from(await response.arrayBuffer());
    const fields = await readForm([bytes], type);
    expect(fields).toMatchObject({ model: 'image', n: 2, stream: false, prompt: 'a fox' });
    expect(fields.images).toEqual(
      Array(4).fill(SourceFile.of(Buffer.from(PNG.slice(22), 'base64'))),
    );
    expect(fields.mask).toEqual(SourceFile.of(Buffer.from('\r\n\r\n--no image')));
    expect(() => editImages({ body: fields, created })).toThrow("Invalid 'mask'");
    expect(await edit({ ...fields, mask: null })).toMatchObject({ data: [{}, {}] });
    const headless = Buffer.from(bytes.toString('latin1').replace('\r\n\r\n', '\r\n'), 'latin1');
    for (const broken of [
      bytes.subarray(0, -5),
      bytes.subarray(0, 90),
      Buffer.alloc(0),
      headless,
    ]) {
      await expect(readForm([broken], type)).rejects.toThrow('not a multipart form');
    }
    await expect(readForm([bytes], 'multipart/form-data')).rejects.toThrow('not a multipart form');
  });
});

interface Images {
  data: { b64_json: string }[];
  size: string;
  usage: { input_tokens_details: object };
}

async function generate(body: object): Promise<Images> {
  const answer = await generateImages({ body: { model: 'image', ...body }, created });
  return (answer as { json: object }).json as Images;
}

async function edit(body: object): Promise<Images> {
  const answer = await editImages({ body: { model: 'image', ...body }, created });
  return (answer as { json: object }).json as Images;
}

async function events(endpoint: typeof editImages, body: object) {
  const answer = await endpoint({ body: { model: 'image', ...body }, created });
  return [...(answer as { frames: Iterable<string> }).frames].map((frame) => {
    const [, name, data] = /^event: ([\w.]+)\ndata: (.*)\n\n$/.exec(frame) ?? [];
    const event = JSON.parse(data ?? '') as { type: string };
    expect(event.type).toBe(name);
    return event;
  });
}

function sizeOf(base64: string): number[] {
  const png = Buffer.from(base64, 'base64');
  expect(png.toString('latin1', 0, 8)).toBe('\x89PNG\r\n\x1a\n');
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}
