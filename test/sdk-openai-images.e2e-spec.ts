import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { generateImage } from 'ai';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import OpenAI, { toFile } from 'openai';
import { API_KEY } from './support/gateway.js';
import { fileIn, formIn, png } from './support/images.js';
import { openaiAt, thrownBy } from './support/sdk-clients.js';
import { useGateway } from './support/use-gateway.js';

const CANVAS = png(64, 64);
const OTHER = png(32, 32);
const MASK = png(64, 64, Buffer.from('mask'));
const MADE = png(8, 8);
const model = 'openai/gpt-image-1';
const type = 'image/png';

describe('OpenAI’s client and images', () => {
  const gateway = useGateway();
  const { upstream } = gateway;
  const client = () => openaiAt(gateway.url);
  const sentFiles = async (name: string) => {
    const files = (await formIn(upstream.last)).getAll(name);
    return Promise.all(files.map(async (file) => (await fileIn(file)).bytes));
  };
  beforeEach(() => {
    upstream.replies(200, { created: 1, data: [{ b64_json: MADE.toString('base64') }] });
  });

  it('edits one file', async () => {
    const image = await toFile(CANVAS, 'canvas.png', { type });
    const { data } = await client().images.edit({ model, image, prompt: 'night' });
    expect(Buffer.from(data?.[0]?.b64_json ?? '', 'base64')).toEqual(MADE);
    expect(await sentFiles('image')).toEqual([CANVAS]);
  });

  it('edits several files, with every option that it knows', async () => {
    const image = await Promise.all(
      [CANVAS, OTHER].map((bytes, index) => toFile(bytes, `${index}.png`, { type })),
    );
    await client().images.edit({
      ...{ model, image, prompt: 'x', n: 2, size: '1024x1024', quality: 'high' },
      ...{ background: 'opaque', output_format: 'webp', output_compression: 40 },
      ...{ input_fidelity: 'high', user: 'u' },
    });
    expect(await sentFiles('image[]')).toEqual([CANVAS, OTHER]);
    const sent = await formIn(upstream.last);
    expect(Object.fromEntries([...sent].filter(([name]) => name !== 'image[]'))).toEqual({
      ...{ model: 'gpt-image-1', prompt: 'x', n: '2', size: '1024x1024', quality: 'high' },
      ...{ background: 'opaque', output_format: 'webp', output_compression: '40' },
      ...{ input_fidelity: 'high', user: 'u' },
    });
  });

  it('edits with a mask', async () => {
    await client().images.edit({
      ...{ model, prompt: 'x' },
      image: await toFile(CANVAS, 'a.png', { type }),
      mask: await toFile(MASK, 'm.png', { type }),
    });
    expect(await sentFiles('mask')).toEqual([MASK]);
  });

  it('edits what it reads from a stream, or from the web', async () => {
    const path = join(gateway.dataDir, 'canvas.png');
    await writeFile(path, CANVAS);
    for (const image of [createReadStream(path), new Response(new Uint8Array(CANVAS))]) {
      await client().images.edit({ model, image, prompt: 'x' });
      expect(await sentFiles('image')).toEqual([CANVAS]);
    }
  });

  it('edits at the sandbox, which draws by what it is given', async () => {
    const edit = async (bytes: Buffer) => {
      const image = await toFile(bytes, 'a.png', { type });
      const size = '8x8' as '256x256';
      return client().images.edit({ model: 'sandbox/image', image, prompt: 'x', size });
    };
    const { data } = await edit(CANVAS);
    expect(
      Buffer.from(data?.[0]?.b64_json ?? '', 'base64')
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    expect((await edit(CANVAS)).data).toEqual(data);
    expect((await edit(OTHER)).data).not.toEqual(data);
  });

  it('is told which part is wrong', async () => {
    const image = await toFile(Buffer.from('no image at all'), 'a.png', { type });
    const error = await thrownBy(
      OpenAI.BadRequestError,
      client().images.edit({ model, image, prompt: 'x' }),
    );
    expect(error).toMatchObject({ status: 400, param: 'image', code: 'invalid_value' });
  });

  it.each([
    [model, undefined, 'b64_json'],
    [model, 'b64_json', 'b64_json'],
    [model, 'url', 'url'],
    ['sandbox/image', 'url', 'url'],
    ['sandbox/image', 'b64_json', 'b64_json'],
  ] as const)('makes images with %s as %s', async (id, format, filled) => {
    const { data } = await client().images.generate({
      ...{ model: id, prompt: 'x', size: '16x16' as '256x256' },
      ...(format && { response_format: format }),
    });
    const [image] = data ?? [];
    expect(image?.[filled]).toEqual(expect.any(String));
    expect(image?.[filled === 'url' ? 'b64_json' : 'url']).toBeNull();
    if (filled === 'url') expect((await fetch(image?.url ?? '')).status).toBe(200);
  });

  it('makes and edits images through the AI SDK', async () => {
    const provider = createOpenAICompatible({
      name: 'causeway',
      baseURL: `${gateway.url}/v3`,
      apiKey: API_KEY,
    });
    const image = provider.imageModel(model);
    const made = await generateImage({ model: image, prompt: 'a fox', size: '1024x1024' });
    expect(Buffer.from(made.image.uint8Array)).toEqual(MADE);
    expect(upstream.last.body).toMatchObject({ model: 'gpt-image-1', prompt: 'a fox' });

    const prompt = { text: 'night', images: [CANVAS, OTHER], mask: MASK };
    const edited = await generateImage({ model: image, prompt });
    expect(Buffer.from(edited.image.uint8Array)).toEqual(MADE);
    expect(await sentFiles('image[]')).toEqual([CANVAS, OTHER]);
    expect(await sentFiles('mask')).toEqual([MASK]);
  });
});
