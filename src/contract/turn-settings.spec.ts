import { describe, expect, it } from '@jest/globals';
import { type NeutralTurn } from './neutral.js';
import { withoutTurnSettings } from './turn-settings.js';

const user = (content: NeutralTurn['content']): NeutralTurn => ({ role: 'user', content });
const assistant: NeutralTurn = { role: 'assistant', content: 'B' };
const system = (content: NeutralTurn['content'], settings: object = {}): NeutralTurn => ({
  role: 'system',
  content,
  ...settings,
});
const effort = (word: string) => system([], { output_config: { effort: word } });
const result = user([{ type: 'tool_result', tool_use_id: 't', content: 'R' }]);

function read(messages: NeutralTurn[], fields: object = {}) {
  return withoutTurnSettings({ model: 'vendor/m', messages, ...fields });
}

describe('a request in which turns of the system set something', () => {
  it('stays as it is where none does', () => {
    const request = { model: 'vendor/m', messages: [user('A'), system('S', { clear_at: null })] };
    expect(withoutTurnSettings(request)).toBe(request);
  });

  it.each([
    ['the answer to the turn before', [user('A'), effort('low')], 'low'],
    ['the next turn', [user('A'), assistant, effort('low'), user('C')], 'low'],
    ['all later turns', [user('A'), effort('low'), assistant, user('C')], 'low'],
    ['no turn that has not come', [user('A'), assistant, effort('low')], 'high'],
    ['no results, which are no new turn', [user('A'), assistant, result, effort('low')], 'high'],
    ['a turn behind results', [user('A'), assistant, effort('low'), result, user('C')], 'low'],
    ['whoever asks last', [user('A'), effort('low'), assistant, user('C'), effort('max')], 'max'],
  ])('has the effort for %s', (_for, messages, told) => {
    const format = { type: 'json_schema' };
    const { output_config, messages: left } = read(messages, {
      output_config: { effort: 'high', format },
    });
    expect(output_config).toEqual({ effort: told, format });
    expect(left.map((turn) => Object.keys(turn))).toEqual(left.map(() => ['role', 'content']));
  });

  it('does not show what was for one turn alone behind it, and keeps what it changes of tools', () => {
    const once = { clear_at: 'next_user_message' };
    const change = { type: 'tool_removal', tool: { type: 'tool_reference', name: 'f' } };
    const { messages } = read([
      user('A'),
      system('Old', once),
      system([{ type: 'text', text: 'Old' }, change], once),
      system('Kept', { clear_at: 'never' }),
      assistant,
      user('C'),
      system('New', once),
    ]);
    expect(messages).toEqual([
      user('A'),
      system([]),
      system([change]),
      system('Kept'),
      assistant,
      user('C'),
      system('New'),
    ]);
  });
});
