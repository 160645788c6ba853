import { describe, expect, it } from '@jest/globals';
import { reply, thrown, trial } from '../../../../test/support/image-calls.js';
import { PROVIDERS } from '../../providers.js';

/** A PNG of 2 × 3 pixels, as far as its header. */
const PNG = Buffer.from(
  '89504e470d0a1a0a0000000d49484452000000020000000308060000000000000000',
  'hex',
).toString('base64');
const item = (given: object) => ({ b64_json: null, url: null, revised_prompt: null, ...given });

function decoded(id: string, bodies: readonly unknown[], fields: object = {}) {
  const { codec, call } = trial(id, { ...fields });
  return codec.decode(
    bodies.map((body) => reply(body)),
    call,
  );
}
const refusal = (id: string, body: unknown) => {
  const { status, message, details } = thrown(() => decoded(id, [body]));
  return [status, message, details.upstream?.code];
};
const gemini = (candidate: object, more: object = {}) => ({ candidates: [candidate], ...more });
const drawn = { content: { parts: [{ inlineData: { mimeType: 'image/png', data: PNG } }] } };

describe('Every answer comes to the same result', () => {
  it.each([
    ['openai/gpt-image-1', (image: string) => ({ data: [{ b64_json: image }] })],
    ['xai/grok-imagine-image', (image: string) => ({ data: [{ b64_json: image }] })],
    ['stability/stable-image-ultra', (image: string) => ({ image, finish_reason: 'SUCCESS' })],
  ])('%s: words in the place of an image are none', (id, answer) => {
    expect(decoded(id, [answer(PNG)]).result.data).toHaveLength(1);
    expect(refusal(id, answer('I cannot draw that.'))[0]).toBe(502);
  });

  it.each([
    ['google/gemini-3-pro-image', gemini(drawn)],
    [
      'google/imagen-4.0-generate-001',
      { predictions: [{ mimeType: 'image/png', bytesBase64Encoded: PNG }] },
    ],
    ['bedrock/amazon.nova-canvas-v1:0', { images: [PNG], error: null }],
    ['bedrock/stability.sd3-5-large-v1:0', { images: [PNG], finish_reasons: [null], seeds: [1] }],
    ['stability/stable-image-ultra', { image: PNG, finish_reason: 'SUCCESS' }],
    [
      'fal/fal-ai/flux/dev',
      { images: [{ url: `data:image/png;base64,${PNG}`, width: 2, height: 3 }] },
    ],
    ['xai/grok-imagine-image', { data: [{ b64_json: PNG, mime_type: 'image/jpeg' }] }],
    ['xai/grok-imagine-image', { data: [{ b64_json: `data:image/png;base64,${PNG}` }] }],
    ['together/black-forest-labs/FLUX.2-dev', { data: [{ index: 0, b64_json: PNG }] }],
    [
      'fireworks/accounts/fireworks/models/flux-1-dev-fp8',
      { base64: [PNG], finishReason: 'SUCCESS' },
    ],
    ['deepinfra/Wan-AI/Wan2.7-Image-Edit', { data: [{ b64_json: PNG }] }],
    [
      'openrouter/google/gemini-3-pro-image',
      {
        choices: [
          { message: { images: [{ image_url: { url: `data:image/png;base64,${PNG}` } }] } },
        ],
      },
    ],
  ])('%s: base64, with the format and size of the image itself', (id, body) => {
    expect(decoded(id, [body]).result).toEqual({
      created: 1_700_000_000,
      data: [item({ b64_json: PNG })],
      output_format: 'png',
      size: '2x3',
      usage: null,
      rest: {},
    });
  });

  it.each([
    [
      'bfl/flux-2-pro',
      { status: 'Ready', result: { sample: 'https://i.example/s.jpeg?sig=1' } },
      'jpeg',
    ],
    ['fal/fal-ai/flux/dev', { images: [{ url: 'https://i.example/s.webp' }] }, 'webp'],
    ['replicate/a/b', { id: 'p', status: 'succeeded', output: ['https://i.example/s.png'] }, 'png'],
    ['replicate/a/b', { id: 'p', status: 'succeeded', output: 'https://i.example/s' }, null],
    [
      'xai/grok-imagine-image',
      { data: [{ url: 'https://i.example/s', mime_type: 'image/jpeg' }] },
      'jpeg',
    ],
    [
      'alibaba/qwen-image-2.0',
      { output: { choices: [{ message: { content: [{ image: 'https://i.example/s.png' }] } }] } },
      'png',
    ],
    [
      'alibaba/wan2.5-t2i-preview',
      { output: { task_status: 'SUCCEEDED', results: [{ url: 'https://i.example/s.png' }] } },
      'png',
    ],
  ])('%s: an address', (id, body, format) => {
    const { result } = decoded(id, [body]);
    expect(result.data).toEqual([item({ url: expect.stringContaining('https://i.example/s') })]);
    expect([result.output_format, result.created]).toEqual([format, 1_700_000_000]);
  });

  it('several calls are one answer', () => {
    expect(
      decoded(
        'bfl/flux-dev',
        [1, 2].map((n) => ({ status: 'Ready', result: { sample: `https://i.example/${n}` } })),
      ).result.data,
    ).toHaveLength(2);
  });

  it('a data: address stays one, unless the bytes are asked for', () => {
    const url = `data:image/png;base64,${PNG}`;
    const body = { id: 'p', status: 'succeeded', output: [url] };
    expect(decoded('replicate/a/b', [body]).result.data).toEqual([item({ url })]);
    expect(decoded('replicate/a/b', [body], { response_format: 'b64_json' }).result.data).toEqual([
      item({ b64_json: PNG }),
    ]);
  });

  it('keeps a prompt that was written anew, and the provider’s own time', () => {
    const body = {
      created: 5,
      data: [{ url: 'https://i.example/1', revised_prompt: 'A grey cat' }],
    };
    expect(decoded('xai/grok-imagine-image', [body]).result).toMatchObject({
      created: 5,
      data: [{ revised_prompt: 'A grey cat' }],
    });
  });

  it('leaves out sketches among the thoughts', () => {
    const parts = [{ thought: true, inlineData: { data: 'AAAA' } }, ...drawn.content.parts];
    expect(
      decoded('google/gemini-3-pro-image', [gemini({ content: { parts } })]).result.data,
    ).toEqual([item({ b64_json: PNG })]);
  });

  it('gives what is left when some images were filtered', () => {
    const predictions = [{ raiFilteredReason: 'Filtered.' }, { bytesBase64Encoded: PNG }];
    const { result, usage } = decoded('vertex/imagen-4.0-generate-001', [{ predictions }], {
      n: 2,
    });
    expect([result.data.length, usage?.images]).toEqual([1, 1]);
  });
});

describe('A refusal by the provider’s rules is the caller’s to mend', () => {
  const google = 'google/gemini-3-pro-image';
  it.each([
    [
      google,
      gemini({ finishReason: 'IMAGE_SAFETY', finishMessage: 'Unsafe.' }),
      'Unsafe.',
      'IMAGE_SAFETY',
    ],
    [
      google,
      gemini({ finishReason: 'PROHIBITED_CONTENT' }),
      'Google drew no image: PROHIBITED_CONTENT.',
      'PROHIBITED_CONTENT',
    ],
    [
      'vertex/gemini-3-pro-image',
      gemini({ finishReason: 'MODEL_ARMOR' }),
      'Google drew no image: MODEL_ARMOR.',
      'MODEL_ARMOR',
    ],
    [google, { promptFeedback: { blockReason: 'OTHER' } }, 'Google drew no image: OTHER.', 'OTHER'],
    [
      'google/imagen-4.0-generate-001',
      { predictions: [{ raiFilteredReason: 'Blocked.' }] },
      'Blocked.',
      'moderation_blocked',
    ],
    [
      'bedrock/amazon.nova-canvas-v1:0',
      { images: [], error: 'Blocked by filters.' },
      'Blocked by filters.',
      'moderation_blocked',
    ],
    [
      'bedrock/stability.sd3-5-large-v1:0',
      { images: [], finish_reasons: ['Filter reason: prompt'] },
      'Filter reason: prompt',
      'moderation_blocked',
    ],
    [
      'stability/stable-image-core',
      { image: 'AAAA', finish_reason: 'CONTENT_FILTERED' },
      expect.stringContaining('filtered'),
      'moderation_blocked',
    ],
    [
      'bfl/flux-2-pro',
      { status: 'Request Moderated' },
      'The request was moderated.',
      'moderation_blocked',
    ],
    [
      'bfl/flux-2-pro',
      { status: 'Content Moderated' },
      'The image was moderated.',
      'moderation_blocked',
    ],
    [
      'fal/fal-ai/flux/dev',
      { images: [{ url: 'https://i.example/1' }], has_nsfw_concepts: [true] },
      expect.stringContaining('unsafe'),
      'moderation_blocked',
    ],
    [
      'replicate/a/b',
      { id: 'p', status: 'failed', error: 'NSFW content detected.' },
      'NSFW content detected.',
      'moderation_blocked',
    ],
    [
      'alibaba/wan2.5-t2i-preview',
      { output: { task_status: 'FAILED', code: 'DataInspectionFailed', message: 'Unfit.' } },
      'Unfit.',
      'DataInspectionFailed',
    ],
    [
      'openrouter/google/gemini-3-pro-image',
      { choices: [{ finish_reason: 'content_filter', message: {} }] },
      'The request was refused.',
      'content_filter',
    ],
    [
      'openrouter/google/gemini-3-pro-image',
      { choices: [{ finish_reason: 'stop', native_finish_reason: 'IMAGE_SAFETY', message: {} }] },
      'The request was refused.',
      'content_filter',
    ],
  ])('%s %j', (id, body, message, code) => {
    expect(refusal(id, body)).toEqual([400, message, code]);
  });

  it('also as a 403 with its reasons', () => {
    const { decodeError } = PROVIDERS.find(({ name }) => name === 'openrouter')!;
    const said = (metadata: object) =>
      decodeError(reply({ error: { code: 403, message: 'Flagged.', metadata } }, 403));
    expect(said({ reasons: ['violence'], flagged_input: 'x' })?.isRefusal).toBe(true);
    expect(said({})?.isRefusal).toBe(false);
  });

  it.each([
    [
      'replicate/a/b',
      { id: 'p', status: 'failed', error: 'CUDA out of memory' },
      'The provider failed: CUDA out of memory',
    ],
    ['replicate/a/b', { id: 'p', status: 'canceled' }, 'The provider failed: canceled'],
    [
      'bfl/flux-2-pro',
      { status: 'Error', details: { error: 'Out of order' } },
      'The provider failed: Out of order',
    ],
    ['bfl/flux-2-pro', { status: 'Task not found' }, 'The provider failed: Task not found'],
    [
      'alibaba/wan2.5-t2i-preview',
      { output: { task_status: 'UNKNOWN' } },
      'The provider failed: UNKNOWN',
    ],
    [
      google,
      gemini({ content: { parts: [{ text: 'I would rather not.' }] }, finishReason: 'STOP' }),
      'The model answered without an image: I would rather not.',
    ],
  ])('but a failure is the provider’s: %s %j', (id, body, message) => {
    expect(refusal(id, body).slice(0, 2)).toEqual([502, message]);
  });
});
