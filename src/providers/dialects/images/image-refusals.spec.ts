import { describe, expect, it } from '@jest/globals';
import {
  encoded,
  FILE,
  reply,
  thrown,
  trial,
  URL_SOURCE,
} from '../../../../test/support/image-calls.js';

/** One model for each way in which images are asked for. */
const MAKERS = [
  'google/gemini-3-pro-image',
  'google/imagen-4.0-generate-001',
  'vertex/gemini-3-pro-image',
  'vertex/imagen-4.0-generate-001',
  'bedrock/amazon.nova-canvas-v1:0',
  'bedrock/stability.sd3-5-large-v1:0',
  'stability/stable-image-ultra',
  'bfl/flux-2-pro',
  'bfl/flux-kontext-pro',
  'fal/fal-ai/flux/dev',
  'fal/fal-ai/nano-banana-pro',
  'replicate/black-forest-labs/flux-schnell',
  'replicate/someone/some-model',
  'xai/grok-imagine-image',
  'together/black-forest-labs/FLUX.1-schnell',
  'fireworks/accounts/fireworks/models/flux-1-schnell-fp8',
  'fireworks/accounts/fireworks/models/flux-kontext-pro',
  'deepinfra/black-forest-labs/FLUX-1.1-pro',
  'openrouter/google/gemini-3-pro-image',
  'alibaba/qwen-image-2.0',
  'alibaba/wan2.5-t2i-preview',
];
/** Those that are told a shape, and can therefore not be told every size. */
const SHAPED = MAKERS.filter((id) => /gemini|imagen|stab|kontext|nano|schnell-fp8|grok/.test(id));

const refusal = (id: string, fields: object) => {
  const { status, code, details } = thrown(() => encoded(id, { ...fields }));
  return { status, code, param: details.param };
};
const unsupported = (param: string) => ({ status: 400, code: 'unsupported_parameter', param });

describe('A wish that a provider cannot honour is never passed over', () => {
  it.each(MAKERS)('%s: style, background, partial images', (id) => {
    for (const [field, value] of Object.entries({
      ...{ style: 'vivid', background: 'transparent', partial_images: 2 },
      ...{ moderation: 'low', input_fidelity: 'high', quality: 'ultra' },
    })) {
      expect([id, refusal(id, { [field]: value })]).toEqual([id, unsupported(field)]);
    }
  });

  it.each(MAKERS)('%s: what leaves the choice to the model is no wish', (id) => {
    const fields = {
      ...{ size: 'auto', quality: 'auto', background: 'auto', moderation: 'auto', n: 1 },
      ...{ output_format: null, style: null, user: 'user-1', metadata: { a: 'b' }, stream: true },
    };
    const [only, more] = encoded(id, fields);
    expect(more).toBeUndefined();
    const sent = JSON.stringify(only!.body);
    for (const field of ['metadata', 'stream', 'background', 'moderation', 'style']) {
      expect(sent).not.toContain(`"${field}"`);
    }
    expect(sent).toContain('A cat');
  });

  it.each(MAKERS)('%s: an answer that goes to somebody else', (id) => {
    for (const field of ['webhook_url', 'webhook']) {
      expect(refusal(id, { [field]: 'https://a.example/' })).toEqual(unsupported(field));
    }
  });

  it.each(MAKERS)('%s: more images than n says, which are held for', (id) => {
    for (const field of ['num_images', 'num_outputs', 'sampleCount', 'max_images']) {
      expect(refusal(id, { [field]: 4 })).toEqual(unsupported(field));
      expect(refusal(id, { n: 1, [field]: '4' })).toEqual(unsupported(field));
      expect(encoded(id, { n: 2, [field]: 2 })).toEqual(encoded(id, { n: 2 }));
    }
  });

  it('more images of Nova Canvas than n says, wherever they are asked for', () => {
    const id = 'bedrock/amazon.nova-canvas-v1:0';
    const numberOfImages = 5;
    for (const fields of [{ numberOfImages }, { imageGenerationConfig: { numberOfImages } }]) {
      expect(refusal(id, fields)).toEqual(unsupported('numberOfImages'));
      expect(encoded(id, { ...fields, n: 5 })).toEqual(encoded(id, { n: 5 }));
    }
  });

  it('images of Imagen in a bucket of the operator’s', () => {
    const storageUri = 'gs://somebody/else';
    const id = 'vertex/imagen-4.0-generate-001';
    expect(refusal(id, { storageUri })).toEqual(unsupported('storageUri'));
  });

  it.each(MAKERS)('%s: a form of the answer that nobody knows', (id) => {
    expect(refusal(id, { response_format: 'tiff' })).toEqual(unsupported('response_format'));
    for (const known of ['url', 'b64_json', null]) {
      expect(encoded(id, { response_format: known })).toHaveLength(1);
    }
  });

  it.each(['google/gemini-3-pro-image', 'vertex/gemini-3-pro-image'])(
    '%s: that another model draws',
    (id) => {
      const routing_config = { manual_mode: { model_name: 'gemini-3-ultra-image' } };
      const refused = (fields: object) => refusal(id, fields).param;
      expect(refused({ routing_config })).toBe('routing_config');
      for (const at of ['generationConfig', 'generation_config']) {
        expect(refused({ [at]: { routing_config } })).toBe(`${at}.routing_config`);
        expect(refused({ [at]: { modelConfig: {} } })).toBe(`${at}.modelConfig`);
      }
    },
  );

  it.each(SHAPED)('%s: a size of another shape', (id) => {
    expect(refusal(id, { size: '1792x1000' })).toEqual(unsupported('size'));
    expect(refusal(id, { size: '1000' })).toEqual(unsupported('size'));
  });

  it.each(MAKERS)('%s: references where an image is made from text', (id) => {
    expect(refusal(id, { mask: { image_url: 'https://images.example/m.png' } })).toEqual(
      unsupported('mask'),
    );
  });

  it.each([
    'google/gemini-3-pro-image',
    'vertex/gemini-3-pro-image',
    'bfl/flux-2-pro',
    'bfl/flux-kontext-pro',
    'fal/fal-ai/flux-pro/kontext',
    'fal/fal-ai/nano-banana-pro/edit',
    'replicate/black-forest-labs/flux-2-pro',
    'replicate/black-forest-labs/flux-kontext-pro',
    'replicate/black-forest-labs/flux-dev',
    'replicate/google/nano-banana-pro',
    'xai/grok-imagine-image',
    'together/black-forest-labs/FLUX.1-kontext-pro',
    'fireworks/accounts/fireworks/models/flux-kontext-pro',
    'openrouter/google/gemini-3-pro-image',
    'alibaba/qwen-image-2.0',
    'stability/outpaint',
    'bedrock/stability.sd3-5-large-v1:0',
  ])('%s: a mask', (id) => {
    expect(refusal(id, { images: [FILE], mask: FILE })).toEqual(unsupported('mask'));
  });

  it.each([
    'bfl/flux-pro-1.0-fill',
    'replicate/black-forest-labs/flux-dev',
    'replicate/ideogram-ai/ideogram-v3-quality',
    'stability/sd3.5-large',
  ])('%s: a size of an image that keeps its own', (id) => {
    expect(refusal(id, { images: [FILE], size: '1024x1024' })).toEqual(unsupported('size'));
  });

  it.each([
    'bfl/flux-pro-1.1-ultra',
    'fal/fal-ai/flux-pro/v1.1-ultra',
    'replicate/black-forest-labs/flux-1.1-pro-ultra',
  ])('%s: another size than its own', (id) => {
    expect(refusal(id, { size: '1024x1024' })).toEqual(unsupported('size'));
    expect(JSON.stringify(encoded(id, { size: '2048x2048' }))).toContain('"aspect_ratio":"1:1"');
  });

  it.each([
    ['google/imagen-4.0-generate-001', 1],
    ['stability/stable-image-core', 1],
    ['fireworks/accounts/fireworks/models/flux-1-dev-fp8', 1],
    ['bfl/flux-pro-1.1', 1],
    ['bfl/flux-kontext-pro', 5],
    ['bfl/flux-2-pro', 11],
    ['fireworks/accounts/fireworks/models/flux-kontext-pro', 2],
    ['together/black-forest-labs/FLUX.1-kontext-pro', 2],
    ['fal/fal-ai/flux-pro/kontext', 2],
    ['fal/fal-ai/flux-pro/kontext/max', 2],
    ['xai/grok-imagine-image', 4],
    ['replicate/black-forest-labs/flux-2-pro', 9],
    ['replicate/black-forest-labs/flux-2-flex', 11],
    ['replicate/black-forest-labs/flux-2-dev', 5],
    ['replicate/black-forest-labs/flux-2-klein-4b', 6],
    ['stability/inpaint', 2],
    ['bedrock/amazon.nova-canvas-v1:0', 6],
  ])('%s: %i source images', (id, count) => {
    const images = Array.from({ length: count }, () => FILE);
    expect(refusal(id, { images })).toEqual(unsupported('images'));
  });

  it.each([
    'google/gemini-3-pro-image',
    'vertex/imagen-3.0-capability-001',
    'bedrock/amazon.nova-canvas-v1:0',
    'bedrock/stability.sd3-5-large-v1:0',
    'stability/inpaint',
    'deepinfra/Wan-AI/Wan2.7-Image-Edit',
  ])('%s: an address, where only bytes are taken', (id) => {
    expect(refusal(id, { images: [URL_SOURCE] })).toEqual({
      status: 400,
      code: 'remote_url_not_supported',
      param: 'images[0]',
    });
  });

  it('several calls with one seed would make one image several times', () => {
    expect(refusal('bfl/flux-2-pro', { n: 2, seed: 7 })).toEqual(unsupported('n'));
    expect(encoded('together/black-forest-labs/FLUX.1-schnell', { n: 4, seed: 7 })).toHaveLength(1);
  });

  it.each(['stability/inpaint', 'bedrock/us.stability.stable-image-inpaint-v1:0'])(
    '%s: nothing to change',
    (id) => {
      expect(refusal(id, {})).toEqual(unsupported('model'));
    },
  );

  it('a size and a parameter of the provider’s own that contradict each other', () => {
    const both = { size: '1024x1024', aspect_ratio: '16:9' };
    expect(refusal('xai/grok-imagine-image', both)).toEqual(unsupported('size'));
    expect(refusal('bfl/flux-2-pro', { size: '1024x1024', width: 512 })).toEqual(
      unsupported('size'),
    );
    const alike = { size: '1024x1024', aspect_ratio: '1:1' };
    expect(encoded('xai/grok-imagine-image', alike)).toHaveLength(1);
  });
});

describe('An answer without an image is never a success', () => {
  it.each(MAKERS)('%s', (id) => {
    const empty = [{}, { data: [{}] }, { data: [{ b64_json: null, url: '' }] }, { data: [null] }];
    const none = [{ data: [] }, { images: [] }, { candidates: [] }, 'no JSON', []];
    for (const body of [...empty, ...none]) {
      const { codec, call } = trial(id);
      expect([400, 502]).toContain(thrown(() => codec.decode([reply(body)], call)).status);
    }
  });
});
