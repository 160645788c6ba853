import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Received } from './support/fake-upstream.js';
import { API_KEY } from './support/gateway.js';
import { dataUrl, formOf, type Part, png, postEdit } from './support/images.js';
import { upload } from './support/uploads.js';
import { useGatewayBefore } from './support/use-gateway.js';

const CANVAS = png(1024, 1024, Buffer.from('the canvas of an edit'));
const OTHER = png(1024, 1024, Buffer.from('another source image.'));
const MASK = png(1024, 1024, Buffer.from('what is to be painted'));
const MADE = png(1024, 1024).toString('base64');

/** A model of every provider that changes images; those with a `true` are told where by a mask. */
const EDITORS: readonly (readonly [model: string, masked?: boolean])[] = [
  ['openai/gpt-image-1', true],
  ['azure-openai/gpt-image-2', true],
  ['google/gemini-3-pro-image'],
  ['vertex/gemini-3-pro-image'],
  ['xai/grok-imagine-image'],
  ['bedrock/amazon.nova-canvas-v1:0', true],
  ['stability/inpaint', true],
  ['stability/stable-image-ultra'],
  ['bfl/flux-2-pro'],
  ['bfl/flux-pro-1.0-fill', true],
  ['fal/fal-ai/flux-2-pro/edit'],
  ['replicate/black-forest-labs/flux-2-pro'],
  ['replicate/ideogram-ai/ideogram-v3-quality', true],
  ['together/black-forest-labs/FLUX.2-pro'],
  ['fireworks/accounts/fireworks/models/flux-kontext-pro'],
  ['deepinfra/Wan-AI/Wan2.7-Image-Edit', true],
  ['openrouter/google/gemini-3-pro-image'],
  ['alibaba/qwen-image-2.0-pro'],
];
const MODELS = EDITORS.map(([model]) => model);
const MASKED = EDITORS.flatMap(([model, masked]) => (masked ? [model] : []));
const UNMASKED = MODELS.filter((model) => !MASKED.includes(model));
/** These take no more than the image that is changed. */
const SINGLE = /stability|fill|ideogram|kontext/;

const KEYED = ['OPENAI', 'AZURE_OPENAI', 'GOOGLE', 'VERTEX', 'XAI', 'BEDROCK', 'STABILITY', 'BFL']
  .concat(['FAL', 'REPLICATE', 'TOGETHER', 'FIREWORKS', 'DEEPINFRA', 'OPENROUTER'])
  .map((name) => [name, name.toLowerCase()] as const);

/** What each provider answers when it has made one image. */
function made({ path }: Received): object {
  if (path.includes('generateContent')) {
    const inlineData = { mimeType: 'image/png', data: MADE };
    const candidates = [{ content: { parts: [{ inlineData }] }, finishReason: 'STOP' }];
    return { candidates, usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 1120 } };
  }
  const sample = `data:image/png;base64,${MADE}`;
  return {
    ...{ data: [{ b64_json: MADE }], images: [MADE], image: MADE, finish_reason: 'SUCCESS' },
    ...(path.startsWith('/fal/') && { images: [{ url: 'https://v3.fal.media/1.png' }] }),
    ...(path.startsWith('/replicate/')
      ? { id: '1', status: 'succeeded', output: ['https://replicate.delivery/1.png'] }
      : { status: 'Ready', result: { sample } }),
    choices: [{ message: { content: '', images: [{ image_url: { url: sample } }] } }],
    output: path.startsWith('/replicate/')
      ? ['https://replicate.delivery/1.png']
      : { choices: [{ message: { content: [{ image: 'https://dashscope.example/1.png' }] } }] },
    usage: { prompt_tokens: 9, completion_tokens: 9, input_tokens: 9, output_tokens: 9 },
  };
}

/** Whether the file went out, in the provider's form or as base64 in its JSON. */
function holds({ bytes }: Received, file: Buffer): boolean {
  return bytes.includes(file) || bytes.includes(file.toString('base64'));
}

/** What other gateways got wrong with images. */
describe('images, learned from others', () => {
  const gateway = useGatewayBefore((url) => {
    const settings = KEYED.flatMap(([name, path]) => [
      [`${name}_API_KEY`, 'provider-key'],
      [`${name}_BASE_URL`, `${url}/${path}`],
    ]);
    return {
      ...(Object.fromEntries(settings) as Record<string, string>),
      ...{ VERTEX_PROJECT: 'p', VERTEX_REGION: 'us-central1', AWS_REGION: 'us-east-1' },
      ...{ ALIBABA_API_KEY: 'x', ALIBABA_BASE_URL: `${url}/compatible-mode/v1` },
    };
  });
  const { upstream } = gateway;
  beforeEach(() => {
    upstream.received.length = 0;
    upstream.answers((response, request) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(made(request)));
    });
  });

  const form = (model: string, ...parts: readonly Part[]) =>
    postEdit(gateway.url, formOf(['model', model], ['prompt', 'night'], ...parts));
  async function json(path: string, body: object): Promise<{ status: number; body: any }> {
    const response = await fetch(`${gateway.url}/v3/images/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'night', ...body }),
    });
    return { status: response.status, body: await response.json() };
  }
  const sent = () => upstream.received[0]!;

  it.each(MODELS)('image[] becomes a string: %s gets the bytes', async (model) => {
    const { status, body } = await form(model, ['image[]', CANVAS]);
    expect([status, body.data?.length]).toEqual([200, 1]);
    expect(holds(sent(), CANVAS)).toBe(true);
  });

  it.each(MASKED)('a mask fails to be read: %s gets it beside the image', async (model) => {
    const { status } = await form(model, ['mask', MASK], ['image', CANVAS]);
    expect([status, holds(sent(), MASK), holds(sent(), CANVAS)]).toEqual([200, true, true]);
  });

  it.each(['image', 'image[]', 'image[0]'])('image[] is a 422: %s is taken', async (name) => {
    expect((await form('openai/gpt-image-1', [name, CANVAS])).status).toBe(200);
  });

  it.each(['google/gemini-3-pro-image', 'vertex/gemini-3-pro-image'])(
    'edits by a Gemini fail: %s is asked for an image, and prices it',
    async (model) => {
      const { body } = await form(model, ['image', CANVAS], ['size', '1024x1024']);
      expect(sent().body.generationConfig.responseModalities).toContain('IMAGE');
      expect([body.size, body.cost > 0.1]).toEqual(['1024x1024', true]);
    },
  );

  it.each(MODELS)('only forms are edits: %s is given what came as JSON', async (model) => {
    const images = [{ image_url: dataUrl(CANVAS) }];
    expect((await json('edits', { model, images })).status).toBe(200);
    expect(holds(sent(), CANVAS)).toBe(true);
  });

  it.each(MODELS)('files are not forwarded: %s gets all, or none is taken', async (model) => {
    const { status, body } = await form(model, ['image[]', CANVAS], ['image[]', OTHER]);
    if (!SINGLE.test(model)) {
      expect([status, holds(sent(), CANVAS), holds(sent(), OTHER)]).toEqual([200, true, true]);
    } else expect([status, body.error.param, sent()]).toEqual([400, 'images', undefined]);
  });

  it.each(['image', 'image[]'])('xAI takes no forms: %s is turned into JSON', async (name) => {
    await form('xai/grok-imagine-image', [name, CANVAS]);
    expect(sent().headers['content-type']).toBe('application/json');
    expect(sent().body.image).toEqual({ type: 'image_url', url: dataUrl(CANVAS) });
  });

  it.each(['quality', 'background'])('%s is not supported: it is carried', async (field) => {
    await form('openai/gpt-image-1', ['image', CANVAS], [field, 'high']);
    expect(sent().text).toContain(`name="${field}"\r\n\r\nhigh`);
    const other = await form('bfl/flux-2-pro', ['image', CANVAS], [field, 'high']);
    expect([other.status, other.body.error.param]).toEqual([400, field]);
  });

  it.each(MODELS)('the size of an edit is ignored: %s is told, or refuses', async (model) => {
    const { status, body } = await form(model, ['image', CANVAS], ['size', '1536x1536']);
    const isTold = /1536|"2[kK]"/.test(sent()?.text ?? '');
    expect(status === 200 ? isTold : [status, body.error.param]).toEqual(
      status === 200 ? true : [400, 'size'],
    );
  });

  it.each(MODELS)('images[] is left out of a generation: %s never', async (model) => {
    const images = [{ image_url: dataUrl(CANVAS) }];
    const { status, body } = await json('generations', { model, images });
    if (status === 200) expect(holds(sent(), CANVAS)).toBe(true);
    else expect([status, body.error.param]).toEqual([400, expect.stringMatching(/images|model/)]);
  });

  it.each(UNMASKED)('200 although a part was ignored: %s refuses a mask', async (model) => {
    const { status, body } = await form(model, ['image', CANVAS], ['mask', MASK]);
    expect([status, body.error.param, sent()]).toEqual([400, 'mask', undefined]);
  });

  it.each(MASKED)('no file_id and no mask in JSON: %s gets both', async (model) => {
    const [image, mask] = await Promise.all(
      [CANVAS, MASK].map(async (content) => {
        const { body } = await upload(gateway.url, { content, name: 'a.png', type: 'image/png' });
        return { file_id: body.file_id };
      }),
    );
    expect((await json('edits', { model, images: [image], mask })).status).toBe(200);
    expect([holds(sent(), CANVAS), holds(sent(), MASK)]).toEqual([true, true]);
  });
});
