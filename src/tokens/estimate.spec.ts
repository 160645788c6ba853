import { describe, expect, it } from '@jest/globals';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { createHash, randomBytes } from 'node:crypto';
import { TOKENS_PER_ATTACHMENT } from '../contract/seen-images.js';
import { estimateInput, estimatePrompt, mostInput } from './estimate.js';

describe('the estimate of an input', () => {
  it('counts texts by their bytes, tokens one by one, and attachments alike', () => {
    expect(estimateInput({ a: 'abc', b: ['äöü', 'x'] })).toBe(Math.ceil(10 / 3));
    expect(estimateInput({ input: [1, 2, [3]] })).toBe(3);
    const data = 'A'.repeat(100_000);
    expect(estimateInput({ source: { data }, file: new Blob() })).toBe(2 * TOKENS_PER_ATTACHMENT);
    expect(mostInput('aäöü')).toBe(1 + 6);
  });

  it('looks at a body once, however often it is asked about', () => {
    let looks = 0;
    const body = {
      get messages() {
        looks += 1;
        return ['abc'];
      },
    };
    expect([estimateInput(body), mostInput(body), estimateInput(body)]).toEqual([1, 1, 1]);
    expect(looks).toBe(1);
  });

  const long = 'word '.repeat(20_000);
  const base64 = Buffer.from(long).toString('base64');
  const AS_TEXT = long.length / 3;

  it.each([
    ['a document', { content: [{ type: 'document', source: { type: 'text', data: long } }] }],
    ['a file', { file: { filename: 'a.txt', file_data: `data:text/plain;base64,${base64}` } }],
    ['a file of JSON', { file_data: `data:application/json;base64,${base64}` }],
    ['a source in base64', { source: { type: 'base64', media_type: 'text/plain', data: base64 } }],
    ['a picture', { image_url: { url: `data:text/plain;base64,${base64}` } }],
    ['the call of a tool', { type: 'tool_use', input: { data: long } }],
    ['a part of such a call', { type: 'mcp_tool_use', input: { source: { url: long } } }],
    ['a field of any name', { arguments: { data: long } }],
  ])('counts the text of %s as text', (_, part) => {
    for (const count of [estimateInput, mostInput]) {
      expect(count({ messages: [part] })).toBeGreaterThan(0.99 * AS_TEXT);
      expect(count({ messages: [part] })).toBeLessThan(1.05 * AS_TEXT);
    }
  });

  it.each([
    ['numbers', Array.from({ length: 20_000 }, (_, index) => 7_919 * index).join(',')],
    ['code', 'if (a[i] !== b[j]) { c(++k); }\n'.repeat(3_000)],
    ['a rare script', 'ሰላም ለዓለም ዛሬ አየሩ ጥሩ ነው።\n'.repeat(2_000)],
  ])('counts %s in a file as dense as they are in a text', (_, text) => {
    const data = Buffer.from(text).toString('base64');
    for (const file of [
      { type: 'input_file', file_data: `data:text/plain;base64,${data}` },
      { type: 'document', source: { type: 'base64', media_type: 'text/plain', data } },
    ]) {
      for (const count of [estimateInput, mostInput]) {
        const asText = count({ messages: [{ type: 'text', text }] });
        expect(count({ messages: [file] })).toBeGreaterThan(0.95 * asText);
        expect(count({ messages: [file] })).toBeLessThan(1.05 * asText);
      }
    }
  });

  it.each([
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64 } },
    { type: 'image', source: { type: 'url', url: 'https://a.example/b.png' } },
    { type: 'image', source: { type: 'file', file_id: 'file_1' } },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${base64}` } },
    { type: 'input_image', image_url: 'https://a.example/b.png' },
    { type: 'input_audio', input_audio: { data: base64, format: 'wav' } },
    { type: 'file', file: { file_data: `data:application/pdf;base64,${base64}` } },
    { type: 'image_generation_call', result: base64 },
  ])('counts %j as one attachment', (part) => {
    const tokens = estimateInput({ messages: [part] });
    expect(tokens).toBeGreaterThanOrEqual(TOKENS_PER_ATTACHMENT);
    expect(tokens).toBeLessThan(TOKENS_PER_ATTACHMENT + 50);
  });

  /** Of recorded answers: 1,740 characters for 128 tokens of thinking, 6,284 for 896. */
  const sealed = (length: number) => randomBytes(length).toString('base64url').slice(0, length);
  it.each([
    ['Responses', (text: string) => ({ type: 'reasoning', encrypted_content: text })],
    ['Messages', (text: string) => ({ type: 'thinking', thinking: '', signature: text })],
    ['Messages that hide it', (text: string) => ({ type: 'redacted_thinking', data: text })],
    [
      'a chat',
      (text: string) => ({ reasoning_details: [{ type: 'reasoning.encrypted', data: text }] }),
    ],
  ])('counts the sealed thinking of %s as what it may hold', (_, item) => {
    for (const [length, tokens] of [
      [1_740, 128],
      [6_284, 896],
    ] as const) {
      const body = { messages: Array.from({ length: 100 }, () => item(sealed(length))) };
      expect(estimateInput(body)).toBeGreaterThan(100 * tokens);
      expect(estimateInput(body)).toBeLessThan(100 * (0.25 * length + 50));
    }
  });

  it('counts what a tool is called with as text, whatever its fields are called', () => {
    const hex = createHash('sha512').update('a').digest('hex').repeat(20);
    const call = { type: 'tool_use', input: { signature: hex, encrypted_content: hex } };
    expect(estimateInput({ messages: [call] })).toBeGreaterThan(hex.length);
  });

  const NAMES = [
    'customer_id',
    'billingAddress',
    'postal_code',
    'created_after',
    'include',
    'état',
  ];
  const members = (count: number, make: (index: number) => unknown) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`${NAMES[index % 6]}_${index}`, make(index)]),
    );
  it.each(
    Object.entries({
      'plain properties': members(350, () => ({ type: 'string' })),
      'described properties': members(100, () => ({ type: 'string', description: 'Which one.' })),
      'properties of any kind': members(350, () => true),
      'a choice': {
        enum: Array.from({ length: 500 }, (_, index) => `${NAMES[index % 6]}-${index}`),
      },
      flags: members(500, (index) => index % 2 === 0),
      nulls: members(500, () => null),
      'large numbers': Array.from({ length: 900 }, (_, index) => 12345.678901 + index),
      'small numbers': Array.from({ length: 900 }, (_, index) => index % 50),
      'names that are numbers': Object.fromEntries(
        Array.from({ length: 500 }, (_, index) => [String(7_919 * index), index]),
      ),
      'names in a rare script': Object.fromEntries(
        Array.from({ length: 200 }, (_, index) => [`བཀྲ་ཤིས${index}`, 'སྐད་ཡིག']),
      ),
    }),
  )('counts %s of a tool or a call as the JSON that a model reads', (_, json) => {
    const tokens = countTokens(JSON.stringify(json));
    for (const part of [
      { tools: [{ name: 'f', input_schema: json }] },
      { tools: [{ name: 'f', input_schema: {}, input_examples: [json] }] },
      { tools: [{ type: 'function', function: { name: 'f', parameters: json } }] },
      { response_format: { type: 'json_schema', json_schema: { name: 'f', schema: json } } },
      {
        messages: [{ role: 'assistant', content: [{ type: 'tool_use', name: 'f', input: json }] }],
      },
    ]) {
      expect(estimateInput(part)).toBeGreaterThan(0.95 * tokens);
      expect(estimateInput(part)).toBeLessThan(2 * tokens);
      expect(mostInput(part)).toBeGreaterThan(0.95 * tokens);
    }
  });

  it('counts millions of numbers by some of them, wherever the long ones stand', () => {
    const close = 50_000;
    const numbers = Array.from({ length: 8 * close }, (_, index) =>
      index < close || index % 32 === 0 ? 7 : 12345.678901,
    );
    const expected = 2 * numbers.length + 5 * ((7 * close * 31) / 32);
    const input = { tools: [{ name: 'f', input_schema: { enum: numbers } }] };
    // Which ones are looked at is chance; put where every 32nd was, the short ones had them count a third.
    expect(Math.abs(estimateInput(input) / expected - 1)).toBeLessThan(0.3);
    const lists = Array.from({ length: 8_000 }, (_, index) =>
      numbers.slice(50 * index).slice(0, 50),
    );
    const inLists = { tools: [{ name: 'f', input_schema: { enum: lists } }] };
    expect(estimateInput(inLists)).toBe(estimateInput(input));
  });

  it('counts short texts of a rare script by what they hold', () => {
    for (const text of ['བཀྲ་ཤིས་བདེ་ལེགས།', 'ሰላም ለዓለም ዛሬ አየሩ ጥሩ ነው።', '😀🎉🚀🔥💡']) {
      const messages = Array.from({ length: 40 }, () => ({ role: 'user', content: text }));
      expect(estimateInput({ messages })).toBeGreaterThan(40 * 0.95 * countTokens(text));
      expect(estimateInput({ messages })).toBeLessThan(40 * (2 * countTokens(text) + 2));
    }
    expect(estimateInput({ messages: [''] })).toBe(0);
  });

  /** https://cookbook.openai.com/examples/how_to_count_tokens_with_tiktoken */
  it.each([
    ['a', 'b'],
    ['Yes', 'No'],
    ['Next.', 'e4'],
    ['e5', 'Nf6'],
    ['👍', '😀'],
    ['7', '8'],
    ['Is it red?', 'No.'],
  ])('of a prompt knows the marks around many short turns: %j, %j', (asked, answered) => {
    const turns = Array.from({ length: 1_001 }, (_, index) =>
      index % 2
        ? { role: 'assistant', content: answered }
        : { role: 'user', content: [{ type: 'text', text: asked }] },
    );
    const real = 1_001 * (3 + 1) + 501 * countTokens(asked) + 500 * countTokens(answered) + 3;
    for (const body of [{ messages: turns }, { input: turns }]) {
      for (const count of [estimatePrompt, mostInput]) {
        expect(count(body)).toBeGreaterThan(real);
      }
      expect(estimatePrompt(body)).toBeLessThan(2 * real);
    }
    // What is charged for where nobody tells goes by length.
    const prose = { messages: [{ role: 'user', content: 'word '.repeat(2_000) }] };
    expect(estimatePrompt(prose) - estimateInput(prose)).toBe(4);
  });

  it('does not count what no model reads', () => {
    const own = {
      router_candidates: Array.from({ length: 1_000 }, () => 'lab/small'),
      fallbacks: ['lab/large'],
      metadata: { note: long },
      extra_headers: { 'x-note': long },
    };
    expect(estimateInput({ messages: ['abc'], ...own })).toBe(1);
    expect(mostInput({ messages: ['abc'], ...own })).toBe(1);
  });

  it('counts text that has more tokens than prose by what it holds', () => {
    const hex = createHash('sha512').update('a').digest('hex').repeat(20);
    expect(estimateInput(hex)).toBeGreaterThan(hex.length / 2);
    expect(mostInput(hex)).toBeGreaterThan(hex.length / 2);
  });

  it('is that of its items for a long list, whoever asks, and again', () => {
    const input = Array.from(
      { length: 3_000 },
      (_, index) => ['abc', 'ä', 7, ['abcdef']][index % 4],
    );
    const short = Array.from({ length: 3 }, (_, part) => input.slice(part * 900, part * 900 + 900));
    const rest = input.slice(2_700);
    for (const count of [estimateInput, mostInput]) {
      const expected = count([...short, rest]);
      expect([count(input), count({ input, other: [] }), count(input)]).toEqual([
        expected,
        expected,
        expected,
      ]);
      expect(count([input, input])).toBe(2 * expected);
    }
  });
});
