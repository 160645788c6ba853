import { describe, expect, it } from '@jest/globals';
import { mistralTurns } from './mistral-turns.js';

const user = (content: unknown) => ({ role: 'user', content });
const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } };
const calls = { role: 'assistant', content: null, tool_calls: [call] };
const result = { role: 'tool', tool_call_id: 'a', content: '1' };
const rule = { role: 'system', content: 'Be kind' };
const told = user('Be kind');
const seen = { role: 'assistant', content: 'OK.' };

describe('the turns of a chat, for Mistral', () => {
  it.each([
    ['questions', [user('a')]],
    ['answers', [user('a'), { role: 'assistant', content: 'b' }, user('c')]],
    ['results', [user('a'), calls, result, { role: 'assistant', content: 'b' }, user('c')]],
    ['calls at the end', [user('a'), calls]],
    ['rules at the beginning and behind the user', [rule, rule, user('a'), rule]],
    ['a beginning that says so', [user('a'), { role: 'assistant', content: 'b', prefix: false }]],
    ['what is no turn', [null, 'x', user([null, { type: 'file' }, { type: 'file', file: {} }])]],
  ])('are the same list for %s', (_, turns) => {
    expect(mistralTurns(turns)).toBe(turns);
  });

  it('have a word between results and what the user says', () => {
    const turns = [user('a'), calls, result, result, user('b')];
    expect(mistralTurns(turns)).toEqual([...turns.slice(0, 4), seen, user('b')]);
  });

  it('have a rule behind an answer or results as what the user says', () => {
    const answer = { role: 'assistant', content: 'b' };
    const said = [user('a'), answer, rule, rule, user('c')];
    expect(mistralTurns(said)).toEqual([user('a'), answer, told, told, user('c')]);
    const called = [user('a'), calls, result, rule];
    expect(mistralTurns(called)).toEqual([user('a'), calls, result, seen, told]);
    expect(mistralTurns([...called, user('c')])).toEqual([
      ...called.slice(0, 3),
      seen,
      told,
      user('c'),
    ]);
  });

  it('say that a beginning is to be continued', () => {
    expect(mistralTurns([user('a'), { role: 'assistant', content: '{' }])).toEqual([
      user('a'),
      { role: 'assistant', content: '{', prefix: true },
    ]);
  });

  it('name a PDF as Mistral does', () => {
    const text = { type: 'text', text: 'What?' };
    const file = (more: object) => ({ type: 'file', file: { file_data: 'data:x', ...more } });
    expect(mistralTurns([user([text, file({ filename: 'a.pdf' }), file({})])])).toEqual([
      user([
        text,
        { type: 'document_url', document_url: 'data:x', document_name: 'a.pdf' },
        { type: 'document_url', document_url: 'data:x' },
      ]),
    ]);
  });
});
