import { describe, expect, it } from '@jest/globals';
import { booleanFromText, decimalFromText, integerFromText } from './lax-coercion.js';

// Every line was read off pydantic 2.13.
describe('integerFromText', () => {
  it.each([
    ['5', 5],
    [' 5 ', 5],
    ['\u00a0\u0085\u30005\t\n', 5],
    ['+5', 5],
    ['-5', -5],
    ['5.0', 5],
    ['5.00 ', 5],
    ['1_000', 1000],
    [' +1_000.0 ', 1000],
    ['00012', 12],
    ['0__1', 1],
    ['-0', -0],
  ])('takes %j', (text, value) => {
    expect(integerFromText(text)).toBe(value);
  });

  it.each(
    [
      ['', ' ', '-', '+', '.', '_', '5.', '.5', '5.5', '5.10', '1e3', '0x10', '++5', '- 5', '5 0'],
      ['1__0', '_1', '1_', '0_', '1.0_0', '1,000', '٥', '\ufeff5', '\u200b5', '5\0', 'inf', 'nan'],
    ].flat(),
  )('refuses %j', (text) => {
    expect(integerFromText(text)).toBeUndefined();
  });

  it('does not spend time on text that is no number', () => {
    expect(integerFromText(`1${' '.repeat(5_000_000)}x`)).toBeUndefined();
  });
});

describe('decimalFromText', () => {
  it.each([
    ['1', 1],
    [' 1.5 ', 1.5],
    ['.5', 0.5],
    ['1.', 1],
    ['+1', 1],
    ['-0', -0],
    ['1e0', 1],
    ['1E-1', 0.1],
    ['1_0', 10],
    ['0.1_0', 0.1],
    ['1e400', Infinity],
    ['nan', NaN],
    ['-NaN', NaN],
    ['inf', Infinity],
    ['-Infinity', -Infinity],
  ])('takes %j', (text, value) => {
    expect(decimalFromText(text)).toBe(value);
  });

  it.each([
    '',
    ' ',
    '.',
    'e1',
    '1e',
    '++1',
    '1__0',
    '_1',
    '1_',
    ' 1_0',
    '0x1',
    '1d',
    'infin',
    '1,5',
  ])('refuses %j', (text) => {
    expect(decimalFromText(text)).toBeUndefined();
  });
});

describe('booleanFromText', () => {
  it.each(['1', 'true', 'TRUE', 'tRuE', 't', 'yes', 'Y', 'On'])('takes %j as true', (text) => {
    expect(booleanFromText(text)).toBe(true);
  });

  it.each(['0', 'false', 'False', 'F', 'no', 'n', 'OFF'])('takes %j as false', (text) => {
    expect(booleanFromText(text)).toBe(false);
  });

  it.each(['', ' true', 'true ', '2', '1.0', 'maybe', 'ON\0'])('refuses %j', (text) => {
    expect(booleanFromText(text)).toBeUndefined();
  });
});
