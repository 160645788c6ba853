import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { pythonJsonErrorSteps } from './python-json-error.js';
import { atOnce } from './time-sliced.js';

const pythonJsonError = (text: string) => atOnce(pythonJsonErrorSteps(text));

describe('pythonJsonErrorSteps', () => {
  it.each([
    ['', 'Expecting value', 0],
    ['   ', 'Expecting value', 3],
    ['nope', 'Expecting value', 0],
    ['nul', 'Expecting value', 0],
    ['-', 'Expecting value', 0],
    ['[1,-]', 'Expecting value', 3],
    ['{"a":}', 'Expecting value', 5],
    ['[', 'Expecting value', 1],
    ['[1,', 'Expecting value', 3],
    ['[1,]', 'Expecting value', 3],
    ['[,1]', 'Expecting value', 1],
    ['\ufeff{}', 'Expecting value', 0],
    ['{"a":NaN}', 'Expecting value', 5],
    ['[Infinity]', 'Expecting value', 1],
    ['[-Infinity]', 'Expecting value', 1],
    ['{', 'Expecting property name enclosed in double quotes', 1],
    ["{'a':1}", 'Expecting property name enclosed in double quotes', 1],
    ['{"a":1,}', 'Expecting property name enclosed in double quotes', 7],
    ['{"a":1, 2}', 'Expecting property name enclosed in double quotes', 8],
    ['{"a" 1}', "Expecting ':' delimiter", 5],
    ['{"a"', "Expecting ':' delimiter", 4],
    ['{"a":1 "b":2}', "Expecting ',' delimiter", 7],
    ['{"a":1', "Expecting ',' delimiter", 6],
    ['[1 2]', "Expecting ',' delimiter", 3],
    ['[01]', "Expecting ',' delimiter", 2],
    ['[1.]', "Expecting ',' delimiter", 2],
    ['[1e]', "Expecting ',' delimiter", 2],
    ['{"a":"x', 'Unterminated string starting at', 5],
    ['"\\', 'Unterminated string starting at', 0],
    ['"a\nb"', 'Invalid control character at', 2],
    ['"\\x"', 'Invalid \\escape', 1],
    ['"\\u12"', 'Invalid \\uXXXX escape', 2],
    ['"\\u12G4"', 'Invalid \\uXXXX escape', 2],
    ['"\\u1234', 'Invalid \\uXXXX escape', 2],
    ['"\\ud83d\\u12"', 'Invalid \\uXXXX escape', 8],
    ['{"a":1} x', 'Extra data', 8],
    ['1 2', 'Extra data', 2],
    ['01', 'Extra data', 1],
    ['{"é😀":}', 'Expecting value', 6],
    ['["😀😀" 1]', "Expecting ',' delimiter", 6],
  ])('reports %j as CPython 3.12 does: %s at %i', (text, message, offset) => {
    expect(pythonJsonError(text)).toEqual({ message, offset });
  });

  it('takes few steps, however many elements there are and however deep they are', () => {
    for (const open of ['[', '['.repeat(60)]) {
      const text = `${open}${'0,"a",'.repeat(50_000)}x]`;
      const steps = pythonJsonErrorSteps(text);
      let count = 0;
      for (let step = steps.next(); !step.done; step = steps.next()) count += 1;
      expect(count).toBeGreaterThan(10);
      expect(count).toBeLessThan(100);
      expect(pythonJsonError(text)).toEqual({
        message: 'Expecting value',
        offset: text.length - 2,
      });
    }
  });

  it('agrees with JSON.parse on what JSON is', () => {
    const damage = fc.record({ at: fc.nat(), cut: fc.nat(2), put: fc.constantFrom(...PIECES) });
    fc.assert(
      fc.property(fc.json(), fc.array(damage, { maxLength: 3 }), (json, damages) => {
        const text = damages.reduce(
          (damaged, { at, cut, put }) =>
            damaged.slice(0, at % (damaged.length + 1)) +
            put +
            damaged.slice((at % (damaged.length + 1)) + cut),
          json,
        );
        expect(pythonJsonError(text) === undefined).toBe(isJson(text));
      }),
      { numRuns: 2000 },
    );
  });
});

const PIECES = [
  '',
  '{',
  '}',
  '[',
  ']',
  '"',
  ',',
  ':',
  '\\',
  '\\u',
  '0',
  '1',
  '-',
  '.',
  'e',
  ' ',
  '\n',
  'null',
  '\0',
  '😀',
];

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
