import { describe, expect, it } from '@jest/globals';
import { alternatingTurns } from './alternating-turns.js';

const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: unknown) => ({ role: 'assistant', content });
const system = (content: string) => ({ role: 'system', content });
const text = (said: string) => ({ type: 'text', text: said });
const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } };
const picture = { type: 'image_url', image_url: { url: 'https://x.test/a.png' } };

describe('turns that alternate', () => {
  it('join neighbours of one role', () => {
    const turns = [user('a'), user('b'), assistant('c'), assistant('d'), user('e')];
    expect(alternatingTurns(turns)).toEqual([user('a\n\nb'), assistant('c\n\nd'), user('e')]);
    expect(alternatingTurns([user('a'), user([picture]), user('b')])).toEqual([
      user([text('a'), picture, text('b')]),
    ]);
  });

  it('keep the calls of an assistant, and results apart', () => {
    const calling = { role: 'assistant', content: null, tool_calls: [call] };
    const results = ['c1', 'c2'].map((tool_call_id) => ({ role: 'tool', tool_call_id }));
    expect(alternatingTurns([user('a'), assistant('b'), calling, calling, ...results])).toEqual([
      user('a'),
      { ...assistant('b'), tool_calls: [call, call] },
      ...results,
    ]);
  });

  it('begin with what the system says', () => {
    const turns = [system('a'), user('b'), system('c'), user('d')];
    expect(alternatingTurns(turns)).toEqual([system('a'), system('c'), user('b\n\nd')]);
  });

  it.each([[[system('a'), system('b'), user('c'), assistant('d')]], [[]], [[null, 7, 'x']]])(
    'stay the same list where they do so already: %j',
    (turns) => {
      expect(alternatingTurns(turns)).toBe(turns);
    },
  );
});
