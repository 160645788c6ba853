import { describe, expect, it } from '@jest/globals';
import { plainTurn, withoutEmptyCalls } from './openai-chat-turns.js';

const call = { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{}' } };
const said = { role: 'assistant', content: 'Yes' };
const part = { type: 'text', text: 'Yes' };
const openais = { refusal: null, annotations: [], audio: null, function_call: null };

describe('plainTurn', () => {
  it.each([
    [
      "a developer's turn",
      { role: 'developer', content: 'Be kind' },
      { role: 'system', content: 'Be kind' },
    ],
    ["what OpenAI's SDK keeps of an answer", { ...said, ...openais }, said],
    [
      'pages that an answer cites',
      { ...said, annotations: [{ type: 'url_citation', url_citation: {} }] },
      said,
    ],
    [
      'a refusal',
      { role: 'assistant', content: null, refusal: 'I cannot.', annotations: [] },
      { role: 'assistant', content: 'I cannot.' },
    ],
    [
      'a refusal among the parts',
      { ...said, content: [part, { type: 'refusal', refusal: 'I cannot.' }], ...openais },
      { ...said, content: [part, { type: 'text', text: 'I cannot.' }] },
    ],
  ])('says otherwise what OpenAI alone says: %s', (_, turn, plain) => {
    expect(plainTurn(turn)).toEqual(plain);
  });

  it.each(['', null, [], undefined])('leaves out an answer of nothing: %j', (content) => {
    expect(plainTurn({ role: 'assistant', content, ...openais, tool_calls: null })).toBeUndefined();
  });

  it.each([
    { role: 'user', content: '' },
    { role: 'system', content: 'Be kind' },
    { role: 'tool', tool_call_id: 'call_1', content: '' },
    said,
    { ...said, prefix: true },
    { ...said, content: [part, null] },
    { ...said, tool_calls: [] },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'assistant', content: '', function_call: { name: 'read', arguments: '{}' } },
  ])('leaves all else as it is: %j', (turn) => {
    expect(plainTurn(turn)).toBe(turn);
  });
});

describe('withoutEmptyCalls', () => {
  it.each([[null], [[]]])('leaves out none at all: %j', (tool_calls) => {
    expect(withoutEmptyCalls({ ...said, ...openais, tool_calls })).toEqual({ ...said, ...openais });
  });

  it.each([
    { ...said, ...openais },
    { ...said, tool_calls: [call] },
    { ...said, tool_calls: 7 },
  ])('leaves all else as it is: %j', (turn) => {
    expect(withoutEmptyCalls(turn)).toBe(turn);
  });
});
