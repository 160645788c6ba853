import { describe, expect, it } from '@jest/globals';
import { formOf, png, postEdit } from './support/images.js';
import { useGateway } from './support/use-gateway.js';

const PATH = '/v3/images/generations';
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('POST /v3/images/generations', () => {
  const gateway = useGateway();
  const { upstream, post, get } = gateway;

  it('relays a GPT image, fills every key and prices it by tokens', async () => {
    const usage = {
      total_tokens: 1100,
      input_tokens: 100,
      output_tokens: 1000,
      input_tokens_details: { text_tokens: 100, image_tokens: 0 },
    };
    upstream.replies(200, {
      created: 1700000000,
      data: [{ b64_json: PNG }],
      size: '1024x1024',
      quality: 'high',
      output_format: 'png',
      usage,
    });
    const { body } = await post(PATH, {
      model: 'openai/gpt-image-1',
      prompt: 'a cat',
      response_format: 'b64_json',
      moderation: 'low',
      metadata: { a: 1 },
    }).expect(200);
    expect(body).toEqual({
      created: 1700000000,
      data: [{ b64_json: PNG, url: null, revised_prompt: null }],
      size: '1024x1024',
      quality: 'high',
      output_format: 'png',
      usage,
      cost: 100 * 0.000005 + 1000 * 0.00004,
      provider: 'openai',
    });
    expect(upstream.last.path).toBe('/openai/v1/images/generations');
    expect(upstream.last.body).toEqual({
      model: 'gpt-image-1',
      prompt: 'a cat',
      moderation: 'low',
    });
  });

  it('prices dall-e by size and quality, and reads what the provider left out', async () => {
    upstream.replies(200, {
      created: 1,
      data: [{ url: 'https://images.example/1', revised_prompt: 'A cat.' }],
    });
    const { body } = await post(PATH, {
      model: 'openai/dall-e-3',
      prompt: 'a cat',
      size: '1792x1024',
      quality: 'hd',
    }).expect(200);
    expect(body).toEqual({
      created: 1,
      data: [{ url: 'https://images.example/1', revised_prompt: 'A cat.', b64_json: null }],
      output_format: null,
      size: '1792x1024',
      usage: null,
      cost: 0.12,
      provider: 'openai',
    });
  });

  it.each([
    ['generations', {}],
    ['edits', { images: [{ image_url: `data:image/png;base64,${PNG}` }] }],
  ])('gives and prices no image that was filtered: %s %j', async (name, more) => {
    const data = [{ error: {} }, { b64_json: PNG }, null, { url: '' }];
    upstream.replies(200, { created: 1, data });
    const request = { model: 'openai/dall-e-2', prompt: 'x', ...more };
    const { body } = await post(`/v3/images/${name}`, request).expect(200);
    const made = [{ b64_json: PNG, url: null, revised_prompt: null }];
    expect(body).toMatchObject({ data: made, size: '1x1', cost: 0.02 });
  });

  it('reads format and size from the image itself', async () => {
    upstream.replies(200, { created: 1, data: [{ b64_json: PNG }] });
    const { body } = await post(PATH, { model: 'openai/dall-e-2', prompt: 'x' }).expect(200);
    expect(body).toMatchObject({ output_format: 'png', size: '1x1' });
  });

  it('gives base64 alone where the provider writes a whole data: address in its place', async () => {
    const inline = JSON.stringify(`data:image/png;base64,${PNG}`);
    const given = [{ b64_json: PNG, url: null, revised_prompt: null }];
    const fields = { model: 'openai/gpt-image-1', prompt: 'x' };
    for (const text of [inline, inline.replaceAll('/', String.raw`\/`)]) {
      upstream.answers(
        (response) => void response.end(`{"created":1,"data":[{"b64_json":${text}}]}`),
      );
      const made = await post(PATH, fields).expect(200);
      const form = formOf(...Object.entries(fields), ['image', png(1, 1)]);
      for (const { body } of [made, await postEdit(gateway.url, form)]) {
        expect(body).toMatchObject({ data: given, output_format: 'png', size: '1x1' });
      }
      const kept = await post(PATH, { ...fields, response_format: 'url' }).expect(200);
      expect(kept.body.data[0]).toMatchObject({ url: expect.any(String), b64_json: null });
    }
  });

  it('reads a stream to its completed event and answers JSON', async () => {
    const completed = {
      type: 'image_generation.completed',
      b64_json: PNG,
      created_at: 5,
      size: '1024x1024',
      quality: 'low',
      background: 'opaque',
      output_format: 'png',
      usage: { total_tokens: 2, input_tokens: 1, output_tokens: 1 },
    };
    const partial = { type: 'image_generation.partial_image', b64_json: 'AAAA' };
    upstream.streams(
      ...[partial, completed].map(
        (data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`,
      ),
    );
    const { body } = await post(PATH, { model: 'openai/gpt-image-1', prompt: 'x', stream: true });
    expect(upstream.last.body.stream).toBe(true);
    expect(body).toMatchObject({
      created: 5,
      data: [{ b64_json: PNG, url: null, revised_prompt: null }],
      background: 'opaque',
      provider: 'openai',
    });
  });

  it.each([
    ['image_generation_user_error', 'moderation_blocked', 400],
    ['invalid_request_error', null, 400],
    ['image_generation_server_error', 'server_error', 502],
  ])('a stream that ends in %s is what it is outside of one', async (type, code, status) => {
    const message = 'Your request was rejected.';
    const error = { type: 'error', error: { type, code, message, param: null } };
    const event = `event: error\ndata: ${JSON.stringify(error)}\n\n`;
    const fields = { model: 'openai/gpt-image-1', prompt: 'x', stream: true };
    upstream.streams(event);
    const generated = await post(PATH, fields).expect(status);
    upstream.streams(event);
    const form = Object.entries(fields).map(([name, value]) => [name, String(value)] as const);
    const edited = await postEdit(gateway.url, formOf(...form, ['image', png(1, 1)]));
    expect(edited.status).toBe(status);
    for (const { body } of [generated, edited]) {
      if (status === 400) expect(body.error).toMatchObject({ message, ...(code && { code }) });
      else expect(body.error.message).not.toBe(message);
    }
  });

  it.each([
    ['svg', { svg: { model: 'gpt-4o' } }],
    ['svg', { svg: { model: 'gpt-4o', reasoning: { effort: 'max' } }, output_format: 'svg' }],
    ['output_format', { output_format: 'svg', svg: null }],
    ['output_format', { output_format: 'SVG', n: 2 }],
  ])('refuses %s by which a second model writes, before any call: %j', async (param, fields) => {
    upstream.received.length = 0;
    upstream.replies(200, { created: 1, data: [{ b64_json: PNG }] });
    const asked = { model: 'openai/gpt-image-2.6-flare', prompt: 'x', ...fields };
    const images = [{ image_url: `data:image/png;base64,${PNG}` }];
    const form = Object.entries({ ...asked, ...(param === 'svg' && { svg: '{}' }) });
    const parts = form.filter(([, value]) => value !== null);
    for (const { status, body } of [
      await post(PATH, asked),
      await post('/v3/images/edits', { ...asked, images }),
      await postEdit(
        gateway.url,
        formOf(...parts.map(([name, value]) => [name, String(value)] as const), [
          'image',
          png(1, 1),
        ]),
      ),
    ]) {
      expect([status, body.error.code]).toEqual([400, 'unsupported_parameter']);
      expect(body.error.param).toBe(param);
    }
    expect(upstream.received).toEqual([]);
    const odd = { toString: 1 };
    const others = { model: asked.model, prompt: 'x', output_format: odd, svg: null };
    await post(PATH, others).expect(200);
  });

  it('refuses the choice of the second model in the words of a form', async () => {
    const form = formOf(
      ['model', 'openai/gpt-image-2.6-flare'],
      ['prompt', 'x'],
      ['svg[model]', 'gpt-4o'],
      ['image', png(1, 1)],
    );
    const { status, body } = await postEdit(gateway.url, form);
    expect([status, body.error.param]).toEqual([400, 'svg']);
  });

  it('leaves the format of what is priced by the image to its provider', async () => {
    upstream.replies(200, { created: 1, data: [{ url: 'https://x' }] });
    const fields = { model: 'openai/dall-e-3', prompt: 'x', output_format: 'svg' };
    await post(PATH, fields).expect(200);
    expect(upstream.last.body.output_format).toBe('svg');
  });

  it.each(['url', 'b64_json', null])('gives %j without telling a GPT image', async (format) => {
    upstream.replies(200, { created: 1, data: [{ b64_json: PNG }] });
    const fields = { model: 'openai/gpt-image-1', prompt: 'x', response_format: format };
    await post(PATH, fields).expect(200);
    expect(upstream.last.body).not.toHaveProperty('response_format');
  });

  it('leaves a response_format that it does not know to the provider', async () => {
    upstream.replies(400, { error: { message: 'Unknown parameter.', param: 'response_format' } });
    const fields = { model: 'openai/gpt-image-1', prompt: 'x', response_format: 'tiff' };
    const { body } = await post(PATH, fields).expect(400);
    expect(upstream.last.body.response_format).toBe('tiff');
    expect(body.error.param).toBe('response_format');
  });

  it('lists what models of images can do', async () => {
    const { body } = await get('/v3/images/models').expect(200);
    const find = (id: string) => body.data.find((model: any) => model.id === id).capabilities;
    expect(find('openai/gpt-image-1')).toMatchObject({ edits: true, mask: true, max_images: 10 });
    expect(find('openai/gpt-image-1').sizes).toEqual(['1024x1024', '1536x1024', '1024x1536']);
    expect(find('sandbox/image')).toMatchObject({ edits: true });
    for (const { capabilities } of body.data) {
      expect(capabilities.edits ?? false).toBe(capabilities.input_modalities.includes('image'));
    }
  });

  it.each([
    [{ prompt: 'x' }, 'model', 'missing_required_parameter'],
    [{ model: 'openai/dall-e-3' }, 'prompt', 'missing_required_parameter'],
    [{ model: 'openai/dall-e-3', prompt: '' }, 'prompt', undefined],
    [{ model: 'openai/dall-e-3', prompt: '😀'.repeat(32001) }, 'prompt', 'string_above_max_length'],
    [{ model: 'openai/dall-e-3', prompt: 'x', n: 0 }, 'n', undefined],
    [{ model: 'openai/dall-e-3', prompt: 'x', n: 11 }, 'n', undefined],
    [{ model: 'openai/gpt-4o', prompt: 'x' }, 'model', 'model_not_supported'],
    [
      { model: 'openai/dall-e-3', prompt: 'x', router_candidates: [] },
      'router_candidates',
      undefined,
    ],
  ])('refuses a wrong body with 400 and param %#', async (body, param, code) => {
    const { body: answer } = await post(PATH, body).expect(400);
    expect(answer.error.param).toBe(param);
    if (code !== undefined) expect(answer.error.code).toBe(code);
  });

  it('accepts a prompt of 32,000 code points', async () => {
    upstream.replies(200, { created: 1, data: [{ url: 'https://x' }] });
    await post(PATH, { model: 'openai/dall-e-2', prompt: '😀'.repeat(32000) }).expect(200);
  });

  it('has no variations', async () => {
    const { body } = await post('/v3/images/variations', {}).expect(404);
    expect(body.error.code).toBe('unknown_url');
  });
});
