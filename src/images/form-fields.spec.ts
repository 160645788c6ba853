import { describe, expect, it } from '@jest/globals';
import { FormFields } from './form-fields.js';

function bodyOf(...parts: readonly (readonly [string, string])[]): object {
  const fields = new FormFields();
  for (const [name, text] of parts) fields.add(name, text);
  return fields.asBody();
}

describe('FormFields', () => {
  it('makes objects and lists of what clients made of them', () => {
    expect(
      bodyOf(
        ['image_config[aspect_ratio]', '16:9'],
        ['image_config[size][width]', '512'],
        ['loras[]', 'a'],
        ['deep[list][]', 'b'],
        ['loras[]', 'c'],
        ['deep[__proto__][x]', 'd'],
        ['list[][of]', 'e'],
      ),
    ).toEqual({
      image_config: { aspect_ratio: '16:9', size: { width: 512 } },
      loras: ['a', 'c'],
      deep: { list: ['b'], ['__proto__']: { x: 'd' } },
      'list[][of]': 'e',
    });
  });

  it('reads numbers and flags that it has not heard of, and leaves texts alone', () => {
    const read = { seed: 42, strength: 0.35, left: -8, guidance: 3, raw: true, turbo: false };
    const written = { seed: '42', strength: '0.35', left: '-8', guidance: '3.0' };
    const flags = { raw: 'true', turbo: 'false' };
    expect(bodyOf(...Object.entries({ ...written, ...flags }))).toEqual(read);
    const texts = {
      ...{ prompt: '42', user: '1', size: '7', model: 'true', a: '007', b: '1e3', c: '', d: 'NaN' },
      ...{ e: '12345678901234567890', f: '0.10', g: ' 1', h: 'True', i: 'Infinity', j: '-' },
    };
    expect(bodyOf(...Object.entries(texts))).toEqual(texts);
  });

  it('leaves what is said in words a text, though it be of digits alone', () => {
    expect(
      bodyOf(
        ['negative_prompt', '2024'],
        ['inPaintingParams[negativeText]', '7'],
        ['search_prompt[]', '9'],
        ['enhance_prompt', 'true'],
        ['prompt_strength', '0.8'],
      ),
    ).toEqual({
      ...{ negative_prompt: '2024', inPaintingParams: { negativeText: '7' } },
      ...{ search_prompt: ['9'], enhance_prompt: true, prompt_strength: 0.8 },
    });
  });

  it('keeps the members of metadata as texts, however deep they are', () => {
    expect(
      bodyOf(['metadata[tags][]', 'a'], ['metadata[team][id]', '7'], ['metadata[n]', '1']),
    ).toEqual({ metadata: { tags: ['a'], team: { id: '7' }, n: '1' } });
    expect(bodyOf(['metadata', '{"a":1}'])).toEqual({ metadata: { a: 1 } });
  });

  it.each([
    ['seed', 'seed'],
    ['seed', 'seed[]'],
    ['seed', 'seed[a]'],
    ['seed[a]', 'seed'],
    ['seed[]', 'seed[a]'],
    ['seed[a]', 'seed[a]'],
    ['metadata', 'metadata[a]'],
  ])('refuses %s with %s', (one, other) => {
    expect(() => bodyOf([one, '{}'], [other, '1'])).toThrow(/sent twice/);
  });
});
