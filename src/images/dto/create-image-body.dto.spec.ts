import { describe, expect, it } from '@jest/globals';
import { bodyCheck } from '../../http/body-check.js';
import { parameterError } from '../../http/parameter-error.js';
import { CreateImageBody } from './create-image-body.dto.js';
import { CreateImageEditBody } from './create-image-edit-body.dto.js';

const LIMITS = { embeddingsMaxInputs: 1 };
const generation = bodyCheck(CreateImageBody, LIMITS);
const edit = bodyCheck(CreateImageEditBody, LIMITS);
const base = { model: 'a/b', prompt: 'x' };

function refused(
  { check }: typeof edit,
  body: unknown,
): readonly [string, string | undefined] | undefined {
  const [first] = check(body).problems;
  if (!first) return undefined;
  const error = parameterError(first);
  return [error.code, error.details.param];
}

describe('CreateImageBody', () => {
  it('counts the prompt in code points', () => {
    const prompt = (length: number) => '😀'.repeat(length);
    expect(refused(generation, { ...base, prompt: prompt(32_000) })).toBeUndefined();
    expect(refused(generation, { ...base, prompt: prompt(32_001) })).toEqual([
      'string_above_max_length',
      'prompt',
    ]);
    expect(refused(generation, { ...base, prompt: '\udc00'.repeat(32_001) })).toBeDefined();
    const [problem] = generation.check({ ...base, prompt: prompt(32_001) }).problems;
    expect(problem && parameterError(problem).message).toBe(
      "Invalid 'prompt': string too long. Expected a string with maximum length 32000, but got a string with length 32001 instead.",
    );
  });

  it.each([
    ['prompt', '', 'invalid_value'],
    ['prompt', null, 'invalid_type'],
    ['model', '@router', 'invalid_value'],
    ['n', 0, 'invalid_value'],
    ['n', 11, 'invalid_value'],
    ['n', 1.5, 'invalid_type'],
    ['n', '1', 'invalid_type'],
    ['n', true, 'invalid_type'],
    ['size', 5, 'invalid_type'],
    ['size', '', 'invalid_value'],
    ['quality', {}, 'invalid_type'],
    ['response_format', 1, 'invalid_type'],
    ['stream', 'true', 'invalid_type'],
    ['stream', 1, 'invalid_type'],
    ['user', {}, 'invalid_type'],
    ['metadata', 'x', 'invalid_type'],
    ['fallbacks', ['a/b'], 'unsupported_parameter'],
    ['router_candidates', [], 'unsupported_parameter'],
  ])('refuses %s %j', (field, value, code) => {
    expect(refused(generation, { ...base, [field]: value })).toEqual([code, field]);
  });

  it.each([
    { n: 1 },
    { n: 10 },
    { n: null, size: null, stream: null, user: null, fallbacks: null },
    { size: '17x3', quality: 'low', response_format: 'anything', background: 5, unknown: [] },
  ])('takes %j', (fields) => {
    expect(refused(generation, { ...base, ...fields })).toBeUndefined();
  });
});

describe('CreateImageEditBody', () => {
  const images = (...refs: unknown[]) => ({ ...base, images: refs });
  const ref = { file_id: 'f' };

  it.each([
    [base, 'missing_required_parameter', 'images'],
    [images(), 'invalid_value', 'images'],
    [images(...Array<object>(17).fill(ref)), 'invalid_value', 'images'],
    [{ ...base, images: ref }, 'invalid_type', 'images'],
    [images(ref, 'x'), 'invalid_type', 'images[1]'],
    [images({}), 'invalid_value', 'images[0]'],
    [images({ file_id: null }), 'invalid_value', 'images[0]'],
    [images({ ...ref, image_url: 'https://a' }), 'invalid_value', 'images[0]'],
    [images({ image_url: 5 }), 'invalid_type', 'images[0].image_url'],
    [
      images({ image_url: 'x'.repeat(20_971_521) }),
      'string_above_max_length',
      'images[0].image_url',
    ],
    [images({ ...ref, detail: 1 }), 'unsupported_parameter', 'images[0].detail'],
    [{ ...images(ref), mask: { url: 'x' } }, 'unsupported_parameter', 'mask.url'],
    [{ ...images(ref), n: 11 }, 'invalid_value', 'n'],
    [{ images: [ref], prompt: 'x' }, 'missing_required_parameter', 'model'],
  ])('refuses %#', (body, code, param) => {
    expect(refused(edit, body)).toEqual([code, param]);
  });

  it('takes uploads and addresses, and null for no mask', () => {
    const body = {
      ...images(ref, { image_url: 'data:image/png;base64,AA==', file_id: null }),
      mask: null,
    };
    expect(refused(edit, body)).toBeUndefined();
    expect(refused(edit, { ...images(...Array<object>(16).fill(ref)), mask: ref })).toBeUndefined();
  });
});
