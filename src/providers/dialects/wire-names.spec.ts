import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { shortened, wireToolName } from './wire-names.js';

describe('wireToolName', () => {
  it('leaves a name alone that OpenAI takes', () => {
    expect(wireToolName('get_weather-2')).toBe('get_weather-2');
    expect(wireToolName('a'.repeat(64))).toBe('a'.repeat(64));
  });

  it('keeps names apart that look alike when they are cleaned or cut', () => {
    const long = 'mcp__server__'.repeat(9);
    const names = ['a.b', 'a/b', 'a b', 'a_b', 'ä_b', '', long, `${long}2`];
    expect(new Set(names.map(wireToolName)).size).toBe(names.length);
  });

  it('gives every name a legal one, always the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (name) => {
        expect(wireToolName(name)).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
        expect(wireToolName(name)).toBe(wireToolName(name));
      }),
    );
  });
});

describe('shortened', () => {
  it('keeps the length and tells texts apart by what was cut', () => {
    expect(shortened('x'.repeat(40), 40)).toBe('x'.repeat(40));
    const [one, two] = [`${'x'.repeat(40)}1`, `${'x'.repeat(40)}2`];
    expect(shortened(one, 40)).toHaveLength(40);
    expect(shortened(one, 40)).not.toBe(shortened(two, 40));
  });
});
