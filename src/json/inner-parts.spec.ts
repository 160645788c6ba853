import { describe, expect, it } from '@jest/globals';
import { REQUEST_BOUNDS } from './bounds.js';
import { innerParts } from './inner-parts.js';
import { atOnce } from './time-sliced.js';

const counted = (body: unknown, most = Infinity) => atOnce(innerParts(body, most));
const calling = (...texts: string[]) => ({
  role: 'assistant',
  tool_calls: texts.map((text) => ({ id: 'c', function: { name: 'f', arguments: text } })),
});

describe('innerParts', () => {
  it.each([
    ['calls of chat completions', { messages: [calling('{"a":[1]}', '{"b":{}}'), calling('')] }, 6],
    ['their older form', { messages: [{ function_call: { name: 'f', arguments: '{"a":1}' } }] }, 2],
    ['calls of Responses', { input: [{ type: 'function_call', arguments: '{"a":[{}]}' }] }, 4],
    ['brackets that a text holds', { messages: [calling('{"a":"{[:"}')] }, 2],
    ['what was counted in the body', { input: [{ arguments: { a: [{}] } }] }, 0],
    ['texts that nobody parses', { messages: [{ role: 'user', content: '{"a":[{}]}' }] }, 0],
    ['texts in a list of content', { messages: [{ content: ['a', 'b', { type: 'text' }] }] }, 4],
    ['nothing that is odd', { messages: [null, 1, [], calling(), { tool_calls: [null] }] }, 0],
    ['no input of an embedding', { input: [[1, 2], 'a', 3] }, 0],
  ])('counts %s', (_, body, parts) => {
    expect(counted(body)).toBe(parts);
  });

  it('leaves out what no translation parses', () => {
    const text = `[${'{},'.repeat(REQUEST_BOUNDS.parts)}0]`;
    expect(counted({ messages: [calling(text, '{}')] })).toBe(1);
  });

  it('ends where there are too many', () => {
    expect(counted({ messages: [calling(...Array<string>(100).fill('[[]]'))] }, 9)).toBe(10);
  });

  it('counts in steps', () => {
    const steps = innerParts({ input: Array<number>(100_000).fill(1) }, Infinity);
    let count = 0;
    while (!steps.next().done) count += 1;
    expect(count).toBeGreaterThan(20);
  });
});
