import { describe, expect, it } from '@jest/globals';
import { unmarked } from './cache-marks.js';

const cache_control = { type: 'ephemeral' };
const parameters = { type: 'object', properties: { cache_control: { type: 'string' } } };

describe('what is unmarked', () => {
  it.each([
    ['a turn', { role: 'user', content: 'Hi', cache_control }, { role: 'user', content: 'Hi' }],
    [
      'a part',
      { role: 'user', content: [{ type: 'text', text: 'Hi', cache_control }] },
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
    ],
    [
      'a result',
      { type: 'function_call_output', output: [{ type: 'input_text', text: 'x', cache_control }] },
      { type: 'function_call_output', output: [{ type: 'input_text', text: 'x' }] },
    ],
    [
      'a tool',
      { type: 'function', function: { name: 'f', parameters, cache_control }, cache_control },
      { type: 'function', function: { name: 'f', parameters } },
    ],
  ])('has no mark: %s', (_, marked, plain) => {
    expect(unmarked([marked])).toEqual([plain]);
  });

  it.each([
    [undefined],
    ['Hi'],
    [[null, 7, 'x']],
    [[{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }]],
    [[{ type: 'function', function: { name: 'f', parameters } }]],
  ])('is the same where there is none: %j', (plain) => {
    expect(unmarked(plain)).toBe(plain);
  });
});
