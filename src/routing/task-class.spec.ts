import { describe, expect, it } from '@jest/globals';
import { classify, glimpse, type TaskClass } from './task-class.js';

const kindOf = (text: string, offersTools = false) =>
  classify({ offersTools, text: glimpse(text) });

describe('classify', () => {
  it.each<[string, TaskClass]>([
    ['Fix this:\n```js\nfoo()\n```', 'code'],
    ['Write a Python function that reverses a list.', 'code'],
    ['def f(a):\n    return a\nassert f(1) == ??', 'code'],
    ['Why does this throw?\nTypeError: x is undefined', 'code'],
    ['SELECT name FROM users is slow, why?', 'code'],
    ['What is $x^2 + 3x = 10$?', 'math'],
    ['Compute \\frac{1}{2} + \\sqrt{3}.', 'math'],
    ['Prove that there are infinitely many prime numbers.', 'math'],
    ['[asy] import graph; draw((0,0)--(1,1)); [/asy] Find the area.', 'math'],
    ['Tom has 3 apples and buys twice as many. How many apples does he have?', 'arithmetic'],
    ['A shirt costs $20 and shoes cost $35. How much do two of each cost?', 'arithmetic'],
    ["What's the total of both bills together, if one is half of the other?", 'arithmetic'],
    ['What would be the price after three years, if it was $120?', 'arithmetic'],
    ['Which two-digit whole numbers are perfect squares?', 'math'],
    ['The number at each vertex of a cube is the sum of its faces.', 'math'],
    ['Is Vertex AI inside of our security perimeter?', 'general'],
    ['Which gas is most common?\nA. Oxygen\nB. Nitrogen\nC. Argon\nD. Neon\nAnswer:', 'knowledge'],
    ['Write a poem about the sea.', 'writing'],
    ['Summarize this letter for my boss: …', 'writing'],
    ['What is the capital of France?', 'general'],
    ['Hello,\nlet me know what you think of this.', 'general'],
    ['from my point of view it is fine\nclass was cancelled', 'general'],
    ['import duties are too high\npublic opinion is against them', 'general'],
    ['A seat is $5-$10, tell me why.', 'general'],
    ['Tickets at $5 = cheap, at $10 = dear. Explain.', 'general'],
    ['let total = 5;', 'code'],
    ['const { a, b } = c', 'code'],
    ['let mut x: i32 = 5;', 'code'],
    ['from os import path\nWhy?', 'code'],
    ['import numpy as np', 'code'],
    ["import fs from 'node:fs'", 'code'],
    ['class Shape:\n  pass', 'code'],
    ['public static void main', 'code'],
    ['private List<String> names', 'code'],
    ['fn main() {}', 'code'],
    ['#include <stdio.h>', 'code'],
    ['Solve $x = 5$.', 'math'],
    ['For $n$ points, how many lines?', 'math'],
    [`What is $x_1 ${'+ y '.repeat(35)}= 2$ about?`, 'math'],
    [`What is $${'y + '.repeat(25)} = 2$ about?`, 'general'],
    ['', 'general'],
  ])('takes %j for %s', (text, kind) => {
    expect(kindOf(text)).toBe(kind);
  });

  it('goes by the tools before the words', () => {
    expect(kindOf('Write a poem about the sea.', true)).toBe('tools');
  });

  it('looks at the beginning and the end of a long text only', () => {
    const filler = 'la '.repeat(100_000);
    expect(kindOf(`${filler}\nWrite a python function for this.`)).toBe('code');
    expect(kindOf(`${filler}\n\`\`\`\n${filler}`)).toBe('general');
  });

  it.each([
    `$${'='.repeat(78)} `,
    `$${'<'.repeat(81)} `,
    `$x${'='.repeat(160)} \n`,
    `$${'^y'.repeat(60)} `,
  ])('looks for the marks of a formula once in %j', (unit) => {
    const leastMs = (text: string) => {
      const looks = Array.from({ length: 200 }, () => {
        const startedAt = performance.now();
        kindOf(text);
        return performance.now() - startedAt;
      });
      return Math.min(...looks);
    };
    const text = glimpse(unit.repeat(60));
    // Looked for in every way there is, they took eight times as long and more.
    expect(leastMs(text)).toBeLessThan(4 * leastMs(text.replaceAll(/[$<=^]/g, '-')));
  });

  it.each([
    'a',
    '\\(',
    '$',
    'A. ',
    '1 ',
    '```',
    'how ',
    'write a ',
    ' ',
    '\n def',
    '$a',
    '1? ',
    'é',
    '\nimport a',
    '\nlet a: ',
    '\npublic A<',
    '\nprivate String ',
    '$a=',
    '$5 = ',
  ])('takes no time for 32 MB of %j', (unit) => {
    const text = glimpse(unit.repeat(Math.ceil(32e6 / unit.length)));
    const tookMs = Array.from({ length: 21 }, () => {
      const startedAt = performance.now();
      kindOf(text);
      return performance.now() - startedAt;
    });
    // The least: a machine may be busy with other things for most of them.
    expect(Math.min(...tookMs)).toBeLessThan(1);
  });
});
