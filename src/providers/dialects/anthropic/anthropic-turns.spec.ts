import { describe, expect, it } from '@jest/globals';
import { type NeutralTurn } from '../../../contract/neutral.js';
import { workedMs } from '../../../../test/support/worked-ms.js';
import { anthropicTurns } from './anthropic-turns.js';

const OLD = 'claude-sonnet-4-5-20250929';
const NEW = 'claude-opus-4-8';
const text = (words: string) => ({ type: 'text', text: words });
const user = (words: string): NeutralTurn => ({ role: 'user', content: words });
const assistant = (words: string): NeutralTurn => ({ role: 'assistant', content: words });
const system = (words: string): NeutralTurn => ({ role: 'system', content: [text(words)] });

describe('anthropicTurns', () => {
  it('leaves a conversation alone that has nothing of the kind', () => {
    const turns = [user('a'), assistant('b'), user('c')];
    expect(anthropicTurns(turns, OLD)).toBe(turns);
  });

  it.each([[OLD], ['claude-3-5-haiku-20241022'], ['claude-opus-4-7'], ['deepseek-chat']])(
    'gives the words of a late system message to the user for %s',
    (model) => {
      const turns = [user('a'), assistant('b'), user('c'), system('Be brief.')];
      expect(anthropicTurns(turns, model)).toEqual([
        user('a'),
        assistant('b'),
        { role: 'user', content: [text('c'), text('Be brief.')] },
      ]);
    },
  );

  it.each([
    [NEW],
    ['claude-sonnet-5-5'],
    ['claude-fable-5-2'],
    ['us.anthropic.claude-opus-5-v1:0'],
  ])('keeps it where %s takes it', (model) => {
    const turns = [user('a'), system('s'), assistant('b'), user('c'), system('t')];
    expect(anthropicTurns(turns, model)).toEqual(turns);
  });

  it('gives it to the user where no model takes it: behind an assistant, before a user', () => {
    expect(anthropicTurns([user('a'), assistant('b'), system('s'), user('c')], NEW)).toEqual([
      user('a'),
      assistant('b'),
      { role: 'user', content: [text('s'), text('c')] },
    ]);
    expect(anthropicTurns([user('a'), system('s'), user('c'), assistant('b')], NEW)).toEqual([
      { role: 'user', content: [text('a'), text('s'), text('c')] },
      assistant('b'),
    ]);
  });

  it('puts the results of calls before words that came ahead of them', () => {
    const result = { type: 'tool_result', tool_use_id: 'x', content: '1' };
    const turns = [assistant('b'), system('s'), { role: 'user', content: [result] } as const];
    expect(anthropicTurns(turns, OLD)).toEqual([
      assistant('b'),
      { role: 'user', content: [result, text('s')] },
    ]);
  });

  it('makes one result of several for one call, in their order', () => {
    const result = (id: string, words: string, more: object = {}) => ({
      ...{ type: 'tool_result', tool_use_id: id, content: words },
      ...more,
    });
    const content = [result('x', '1'), result('y', '2'), result('x', '3', { is_error: true })];
    expect(anthropicTurns([{ role: 'user', content: [...content, text('go')] }], OLD)).toEqual([
      {
        role: 'user',
        content: [
          { ...result('x', ''), content: [text('1'), text('3')], is_error: true },
          result('y', '2'),
          text('go'),
        ],
      },
    ]);
  });
});

describe('a conversation of 20,000 short turns', () => {
  const result = { type: 'tool_result', tool_use_id: 'x', content: 'a' };
  const repeated = (...turns: NeutralTurn[]) => Array.from({ length: 10_000 }, () => turns).flat();

  // Work that grows with the square of the turns is hundreds of times as much as they are apart.
  it.each([
    ['of user and system', repeated(user('a'), system('s')), 20_000],
    [
      'with results of one call',
      repeated({ role: 'user', content: [result] }, system('s')),
      10_001,
    ],
  ])('%s is about as much work as one in which none is joined', async (_kind, turns, blocks) => {
    let own: readonly NeutralTurn[] = [];
    const apart = [...repeated(user('a'), assistant('b')), system('s')];
    const usual = await workedMs(() => anthropicTurns(apart, OLD));
    const ms = await workedMs(() => (own = anthropicTurns(turns, OLD)));
    expect(own.map(({ content }) => content.length)).toEqual([blocks]);
    expect(ms).toBeLessThan(20 * usual);
  });
});
