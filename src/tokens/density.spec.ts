import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { estimateInput } from './estimate.js';

const hex = (index: number) => createHash('sha256').update(String(index)).digest('hex');
const prose = (index: number) =>
  `Boat ${index} went down the river where three old men sat and counted.`;
const bodyOf = (texts: readonly string[]) => ({
  messages: texts.map((content, index) => ({ role: index % 2 ? 'assistant' : 'user', content })),
});
const each = (texts: readonly string[]) =>
  texts.reduce((sum, text) => sum + estimateInput(bodyOf([text])), 0);

describe('the density of many texts', () => {
  it.each<[string, (index: number) => string]>([
    ['prose', prose],
    ['hex', hex],
    ['prose and hex in turn', (index) => (index % 2 ? hex(index) : prose(index))],
    ['prose before hex', (index) => (index < 1_000 ? prose(index) : hex(index))],
    ['hex before prose', (index) => (index < 1_000 ? hex(index) : prose(index))],
  ])('is about that of each of them: %s', (_, text) => {
    const texts = Array.from({ length: 4_000 }, (_, index) => text(index));
    const ratio = estimateInput(bodyOf(texts)) / each(texts);
    expect(ratio).toBeGreaterThan(0.85);
    expect(ratio).toBeLessThan(1.3);
  });

  it('is looked at in a long text after many short ones', () => {
    const texts = Array.from({ length: 1_000 }, (_, index) => prose(index));
    const dense = Array.from({ length: 2_000 }, (_, index) => hex(index)).join('');
    const more = estimateInput(bodyOf([...texts, dense])) - estimateInput(bodyOf(texts));
    expect(more).toBeGreaterThan(0.95 * estimateInput(bodyOf([dense])));
  });

  it('is that of the conversation however many lists it has', () => {
    const blocks = Array.from({ length: 20 }, (_, index) => ({ type: 'text', text: hex(index) }));
    const turns = Array.from({ length: 200 }, () => ({ role: 'user', content: [...blocks] }));
    const alone = estimateInput({ messages: turns.slice(0, 1) });
    expect(estimateInput({ messages: turns }) / (200 * alone)).toBeCloseTo(1, 1);
  });
});
