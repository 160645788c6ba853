import { describe, expect, it } from '@jest/globals';
import {
  encoded,
  FILE,
  sentForm,
  sentJson,
  URL_SOURCE,
} from '../../../../test/support/image-calls.js';

const DATA = '<data:image/png;base64,|4 bytes>';
const BYTES = '<|4 bytes>';
const path = (...made: Parameters<typeof encoded>) => encoded(...made)[0]!.path;

describe('Gemini', () => {
  const id = 'google/gemini-3-pro-image';

  it('takes a shape for a size, and sources behind the prompt', () => {
    expect(sentJson(id, { size: '1376x768', images: [FILE, FILE], seed: 7 })).toEqual({
      contents: [
        {
          role: 'user',
          parts: [
            { text: 'A cat' },
            { inlineData: { mimeType: 'image/png', data: BYTES } },
            { inlineData: { mimeType: 'image/png', data: BYTES } },
          ],
        },
      ],
      generationConfig: {
        responseModalities: ['IMAGE'],
        seed: 7,
        imageConfig: { aspectRatio: '16:9', imageSize: '1K' },
      },
    });
  });

  it('makes one image a call', () => {
    expect(encoded(id, { n: 3 })).toHaveLength(3);
    expect(path(id)).toBe('/v1beta/models/gemini-3-pro-image:generateContent');
  });

  it('keeps what the caller says in Google’s own words', () => {
    const generationConfig = { imageConfig: { aspectRatio: '21:9' }, temperature: 0.5 };
    const safetySettings = [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }];
    expect(sentJson(id, { generationConfig, safetySettings })).toMatchObject({
      safetySettings,
      generationConfig,
    });
  });

  it('is told a format on Vertex AI only', () => {
    const fields = { output_format: 'jpeg', output_compression: 85 };
    expect(() => encoded(id, fields)).toThrow(/cannot honour output_format/);
    const { generationConfig } = sentJson('vertex/gemini-3-pro-image', fields);
    expect(generationConfig.imageConfig).toEqual({
      imageOutputOptions: { mimeType: 'image/jpeg', compressionQuality: 85 },
    });
    expect(path('vertex/gemini-3-pro-image')).toBe(
      '/v1/projects/p/locations/us-central1/publishers/google/models/gemini-3-pro-image:generateContent',
    );
  });
});

describe('Imagen', () => {
  it('makes four a call, in a shape', () => {
    const id = 'google/imagen-4.0-generate-001';
    const calls = encoded(id, { n: 6, size: '1408x768', negativePrompt: 'dogs' });
    expect(calls.map(({ body }) => (body as { json: any }).json.parameters.sampleCount)).toEqual([
      4, 2,
    ]);
    expect(sentJson(id, { size: '2048x2048', negativePrompt: 'dogs' })).toEqual({
      instances: [{ prompt: 'A cat' }],
      parameters: {
        ...{ sampleCount: 1, includeRaiReason: true, negativePrompt: 'dogs' },
        ...{ aspectRatio: '1:1', sampleImageSize: '2K' },
      },
    });
    expect(path(id)).toBe('/v1beta/models/imagen-4.0-generate-001:predict');
  });

  it('edits on Vertex AI by references', () => {
    const { instances, parameters } = sentJson('vertex/imagen-3.0-capability-001', {
      images: [FILE],
      mask: FILE,
    });
    expect(instances[0].referenceImages).toEqual([
      {
        referenceType: 'REFERENCE_TYPE_RAW',
        referenceId: 1,
        referenceImage: { bytesBase64Encoded: BYTES },
      },
      {
        referenceType: 'REFERENCE_TYPE_MASK',
        referenceId: 2,
        referenceImage: { bytesBase64Encoded: BYTES },
        maskImageConfig: { maskMode: 'MASK_MODE_USER_PROVIDED' },
      },
    ]);
    expect(parameters.editMode).toBe('EDIT_MODE_INPAINT_INSERTION');
  });
});

describe('Bedrock', () => {
  const canvas = 'bedrock/amazon.nova-canvas-v1:0';

  it('gives Nova Canvas a task', () => {
    expect(
      sentJson(canvas, { n: 3, size: '1280x720', quality: 'hd', seed: 7, negativeText: 'x' }),
    ).toEqual({
      taskType: 'TEXT_IMAGE',
      textToImageParams: { text: 'A cat', negativeText: 'x' },
      imageGenerationConfig: {
        ...{ numberOfImages: 3, width: 1280, height: 720, quality: 'premium', seed: 7 },
      },
    });
    expect(path(canvas)).toBe('/model/amazon.nova-canvas-v1%3A0/invoke');
  });

  it.each([
    [
      'a mask',
      { mask: FILE },
      'INPAINTING',
      { inPaintingParams: { text: 'A cat', image: BYTES, maskImage: BYTES } },
    ],
    [
      'words for a mask',
      { maskPrompt: 'sky' },
      'INPAINTING',
      { inPaintingParams: { text: 'A cat', image: BYTES, maskPrompt: 'sky' } },
    ],
    [
      'an image alone',
      {},
      'IMAGE_VARIATION',
      { imageVariationParams: { text: 'A cat', images: [BYTES] } },
    ],
    [
      'a task',
      { taskType: 'BACKGROUND_REMOVAL' },
      'BACKGROUND_REMOVAL',
      { backgroundRemovalParams: { image: BYTES } },
    ],
    [
      'outpainting',
      { taskType: 'OUTPAINTING', mask: FILE },
      'OUTPAINTING',
      { outPaintingParams: { text: 'A cat', image: BYTES, maskImage: BYTES } },
    ],
  ])('edits by %s', (_what, fields, taskType, params) => {
    expect(sentJson(canvas, { images: [FILE], ...fields })).toMatchObject({ taskType, ...params });
  });

  it('gives Stability’s models their own body', () => {
    expect(
      sentJson('bedrock/stability.sd3-5-large-v1:0', { images: [FILE], strength: 0.6 }),
    ).toEqual({
      ...{ prompt: 'A cat', mode: 'image-to-image', image: BYTES, strength: 0.6 },
    });
    const service = 'bedrock/us.stability.stable-image-inpaint-v1:0';
    expect(sentJson(service, { images: [FILE], mask: FILE })).toEqual({
      ...{ prompt: 'A cat', image: BYTES, mask: BYTES },
    });
  });
});

describe('Stability AI', () => {
  it('has a path for each operation, and takes a form', () => {
    const fields = { size: '1024x1024', output_format: 'webp', negative_prompt: 'dogs', seed: 7 };
    expect(sentForm('stability/stable-image-ultra', fields)).toEqual([
      ['prompt', 'A cat'],
      ['output_format', 'webp'],
      ['aspect_ratio', '1:1'],
      ['negative_prompt', 'dogs'],
      ['seed', '7'],
    ]);
    expect(path('stability/stable-image-core')).toBe('/generate/core');
    expect(sentForm('stability/sd3.5-large', { images: [FILE], strength: 0.5 })).toEqual([
      ['model', 'sd3.5-large'],
      ['prompt', 'A cat'],
      ['mode', 'image-to-image'],
      ['strength', '0.5'],
      ['image', 'cat.png: image/png'],
    ]);
    expect(sentForm('stability/erase', { images: [FILE], mask: FILE })).toEqual([
      ['image', 'cat.png: image/png'],
      ['mask', 'cat.png: image/png'],
    ]);
    expect(path('stability/search-and-replace', { images: [FILE] })).toBe(
      '/edit/search-and-replace',
    );
  });
});

describe('Black Forest Labs', () => {
  it('takes pixels, and numbered sources as base64 or by address', () => {
    expect(
      sentJson('bfl/flux-2-pro', {
        size: '1024x768',
        images: [FILE, URL_SOURCE],
        safety_tolerance: 0,
      }),
    ).toEqual({
      ...{ prompt: 'A cat', width: 1024, height: 768, safety_tolerance: 0 },
      ...{ input_image: BYTES, input_image_2: 'https://images.example/cat.png' },
    });
    expect(path('bfl/flux-2-pro')).toBe('/flux-2-pro');
  });

  it('tells Kontext and Ultra a ratio, and gives a mask to the model that fills', () => {
    expect(sentJson('bfl/flux-kontext-pro', { size: '1280x800' })).toMatchObject({
      aspect_ratio: '8:5',
    });
    expect(sentJson('bfl/flux-pro-1.1-ultra', { size: '2048x2048' })).toMatchObject({
      aspect_ratio: '1:1',
    });
    expect(sentJson('bfl/flux-pro-1.0-fill', { images: [FILE], mask: FILE })).toEqual({
      ...{ prompt: 'A cat', image: BYTES, mask: BYTES },
    });
  });
});

describe('fal', () => {
  it('names inputs as the model does', () => {
    expect(
      sentJson('fal/fal-ai/flux/dev', { size: '512x512', n: 2, response_format: 'b64_json' }),
    ).toEqual({
      ...{ prompt: 'A cat', image_size: { width: 512, height: 512 }, num_images: 2 },
      sync_mode: true,
    });
    expect(
      sentJson('fal/fal-ai/nano-banana-pro/edit', { images: [FILE], size: '2048x2048' }),
    ).toEqual({
      ...{ prompt: 'A cat', image_urls: [DATA], aspect_ratio: '1:1', resolution: '2K' },
    });
    expect(sentJson('fal/fal-ai/flux-pro/kontext', { images: [URL_SOURCE] })).toEqual({
      ...{ prompt: 'A cat', image_url: 'https://images.example/cat.png' },
    });
    expect(sentJson('fal/fal-ai/flux-pro/v1/fill', { images: [FILE], mask: FILE })).toEqual({
      ...{ prompt: 'A cat', image_url: DATA, mask_url: DATA },
    });
    expect(path('fal/fal-ai/flux/dev')).toBe('/fal-ai/flux/dev');
  });

  it('has a word for each level of tolerance, which a form has as a number', () => {
    const id = 'fal/fal-ai/nano-banana-pro';
    const word = { prompt: 'A cat', safety_tolerance: '2' };
    expect(sentJson(id, { safety_tolerance: 2 })).toEqual(word);
    expect(sentJson(id, { safety_tolerance: '2' })).toEqual(word);
  });

  it('tells a GPT Image what OpenAI would be told', () => {
    const fields = { size: '1536x1024', quality: 'high', input_fidelity: 'high' };
    const id = 'fal/fal-ai/gpt-image-1.5/edit';
    expect(sentJson(id, { ...fields, images: [FILE], output_format: 'jpeg' })).toEqual({
      ...{ prompt: 'A cat', image_size: '1536x1024', quality: 'high', input_fidelity: 'high' },
      ...{ image_urls: [DATA], output_format: 'jpeg' },
    });
  });
});

describe('Replicate', () => {
  it('asks for a model, or for a version of one', () => {
    const [call] = encoded('replicate/black-forest-labs/flux-schnell');
    expect(call).toMatchObject({
      path: '/models/black-forest-labs/flux-schnell/predictions',
      headers: { prefer: 'wait=1' },
    });
    expect(sentJson('replicate/stability-ai/sdxl:39ed52f2', { size: '512x512', seed: 42 })).toEqual(
      {
        version: '39ed52f2',
        input: { prompt: 'A cat', width: 512, height: 512, seed: 42 },
      },
    );
    expect(path('replicate/stability-ai/sdxl:39ed52f2')).toBe('/predictions');
  });

  it.each([
    ['black-forest-labs/flux-2-pro', { input_images: [DATA, DATA] }],
    ['black-forest-labs/flux-2-klein-4b', { images: [DATA, DATA] }],
    ['google/nano-banana-pro', { image_input: [DATA, DATA] }],
    ['openai/gpt-image-1.5', { input_images: [DATA, DATA] }],
    ['flux-kontext-apps/multi-image-kontext-pro', { input_image_1: DATA, input_image_2: DATA }],
  ])('gives %s its sources', (name, input) => {
    expect(sentJson(`replicate/${name}`, { images: [FILE, FILE] }).input).toEqual({
      prompt: 'A cat',
      ...input,
    });
  });

  it('tells a FLUX.2 its pixels, and [klein] its megapixels', () => {
    const flux2 = 'replicate/black-forest-labs/flux-2';
    expect(sentJson(`${flux2}-flex`, { size: '1440x960' }).input).toEqual({
      ...{ prompt: 'A cat', aspect_ratio: 'custom', width: 1440, height: 960 },
    });
    expect(sentJson(`${flux2}-klein-9b`, { size: '2048x2048' }).input).toEqual({
      ...{ prompt: 'A cat', aspect_ratio: '1:1', output_megapixels: '4' },
    });
  });

  it('tells a GPT Image what OpenAI would be told, and the shape of its size', () => {
    const fields = { size: '1536x1024', quality: 'high', input_fidelity: 'high', n: 2 };
    const id = 'replicate/openai/gpt-image-1.5';
    expect(sentJson(id, { ...fields, output_format: 'jpeg' }).input).toEqual({
      ...{ prompt: 'A cat', aspect_ratio: '3:2', quality: 'high', input_fidelity: 'high' },
      ...{ number_of_images: 2, output_format: 'jpeg' },
    });
  });

  it('calls the size of an Ideogram a resolution', () => {
    expect(
      sentJson('replicate/ideogram-ai/ideogram-v3-quality', { size: '1024x1024' }).input,
    ).toEqual({
      ...{ prompt: 'A cat', resolution: '1024x1024' },
    });
  });

  it('makes several where the model can, and several calls where it cannot', () => {
    const id = 'replicate/black-forest-labs/flux-schnell';
    expect(sentJson(id, { n: 4, output_format: 'jpeg' }).input).toEqual({
      ...{ prompt: 'A cat', num_outputs: 4, output_format: 'jpg' },
    });
    expect(encoded('replicate/black-forest-labs/flux-1.1-pro', { n: 2 })).toHaveLength(2);
  });
});

describe('xAI', () => {
  it('takes edits in JSON', () => {
    const id = 'xai/grok-imagine-image';
    expect(sentJson(id, { images: [FILE], n: 2, response_format: 'url' })).toEqual({
      ...{ model: 'grok-imagine-image', prompt: 'A cat', n: 2, response_format: 'url' },
      image: { type: 'image_url', url: DATA },
    });
    expect(sentJson(id, { images: [FILE, URL_SOURCE] }).images).toHaveLength(2);
    expect(path(id, { images: [FILE] })).toBe('/images/edits');
  });

  it('takes a shape for a size, and a quality since its second generation', () => {
    const fields = { size: '2048x2048', quality: 'medium' };
    expect(sentJson('xai/grok-imagine-image-2.0', fields)).toMatchObject({
      ...{ aspect_ratio: '1:1', resolution: '2k', quality: 'medium' },
    });
    expect(() => encoded('xai/grok-imagine-image', fields)).toThrow(/cannot honour quality/);
  });
});

describe('Together, Fireworks, DeepInfra', () => {
  it('Together takes width and height, base64 by that name, and sources among the fields', () => {
    const flux = 'together/black-forest-labs/FLUX.2-dev';
    expect(
      sentJson(flux, {
        size: '512x512',
        response_format: 'b64_json',
        inputs: '',
        images: [URL_SOURCE],
      }),
    ).toEqual({
      ...{ model: 'black-forest-labs/FLUX.2-dev', prompt: 'A cat', inputs: '' },
      ...{ width: 512, height: 512, response_format: 'base64' },
      reference_images: ['https://images.example/cat.png'],
    });
    const kontext = 'together/black-forest-labs/FLUX.1-kontext-pro';
    expect(sentJson(kontext, { images: [FILE] }).image_url).toBe(DATA);
    expect(path(kontext, { images: [FILE] })).toBe('/images/generations');
  });

  it('Fireworks has a workflow for each model', () => {
    const kontext = 'fireworks/accounts/fireworks/models/flux-kontext-pro';
    expect(path(kontext)).toBe('/workflows/accounts/fireworks/models/flux-kontext-pro');
    expect(sentJson(kontext, { images: [FILE], size: '1024x1024' })).toEqual({
      ...{ prompt: 'A cat', input_image: DATA, aspect_ratio: '1:1' },
    });
    expect(path('fireworks/accounts/fireworks/models/flux-1-dev-fp8')).toBe(
      '/workflows/accounts/fireworks/models/flux-1-dev-fp8/text_to_image',
    );
  });

  it('DeepInfra takes edits as a form', () => {
    const id = 'deepinfra/Wan-AI/Wan2.7-Image-Edit';
    expect(sentForm(id, { images: [FILE, FILE], mask: FILE, size: '512x512', n: 2 })).toEqual([
      ['model', 'Wan-AI/Wan2.7-Image-Edit'],
      ['prompt', 'A cat'],
      ['size', '512x512'],
      ['n', '2'],
      ['image', 'cat.png: image/png'],
      ['image', 'cat.png: image/png'],
      ['mask', 'cat.png: image/png'],
    ]);
    expect(sentJson(id).response_format).toBe('b64_json');
  });
});

describe('OpenRouter and Alibaba', () => {
  it('OpenRouter is asked in a chat', () => {
    const id = 'openrouter/google/gemini-3-pro-image';
    expect(sentJson(id, { size: '1376x768', images: [FILE] })).toEqual({
      model: 'google/gemini-3-pro-image',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'A cat' },
            { type: 'image_url', image_url: { url: DATA } },
          ],
        },
      ],
      modalities: ['image', 'text'],
      image_config: { aspect_ratio: '16:9', image_size: '1K' },
    });
    const gpt = { size: '1536x1024', quality: 'high', background: 'transparent' };
    expect(sentJson('openrouter/openai/gpt-5-image', gpt).image_config).toEqual(gpt);
    expect(sentJson('openrouter/black-forest-labs/flux.2-pro').modalities).toEqual(['image']);
  });

  it('Alibaba’s own API stands beside the one in OpenAI’s format', () => {
    const compatible = { path: '/compatible-mode/v1' };
    const service = '/services/aigc/multimodal-generation/generation';
    expect(path('alibaba/qwen-image-2.0', {}, compatible)).toBe(`/../../api/v1${service}`);
    expect(path('alibaba/qwen-image-2.0', {}, { path: '/p' })).toBe(`/api/v1${service}`);
    const fields = { size: '1024x768', n: 2, images: [FILE], negative_prompt: 'dogs' };
    expect(sentJson('alibaba/qwen-image-2.0', fields)).toEqual({
      model: 'qwen-image-2.0',
      input: { messages: [{ role: 'user', content: [{ image: DATA }, { text: 'A cat' }] }] },
      parameters: { n: 2, size: '1024*768', negative_prompt: 'dogs' },
    });
    const [task] = encoded('alibaba/wan2.5-t2i-preview');
    expect(task).toMatchObject({
      path: '/api/v1/services/aigc/text2image/image-synthesis',
      headers: { 'x-dashscope-async': 'enable' },
    });
  });
});
