import { expect, it } from '@jest/globals';
import { mostOutputAsked } from './asked-output.js';

it.each([
  [{}, undefined],
  [{ max_tokens: null, max_output_tokens: 'many' }, undefined],
  [{ max_tokens: 0 }, 0],
  [{ max_tokens: 2 ** 53 }, 2 ** 53],
  [{ max_tokens: 1.5 }, undefined],
  [{ max_tokens: 1, max_completion_tokens: 500, max_output_tokens: 20 }, 500],
  [{ max_tokens: 700, max_completion_tokens: -1 }, 700],
  [{ max_tokens: 1, generationConfig: { maxOutputTokens: 60_000 } }, 60_000],
  [{ max_tokens: 1, generation_config: { max_output_tokens: 60_000 } }, 60_000],
  [{ max_tokens: 1, generationConfig: { maxOutput_tokens: '60000' } }, 60_000],
  [{ max_tokens: 5, generationConfig: { maxOutputTokens: 1 } }, 5],
  [{ max_tokens: 5, generationConfig: null }, 5],
])('finds in %j that an answer may have %j tokens', (body, most) => {
  expect(mostOutputAsked(body)).toBe(most);
});
