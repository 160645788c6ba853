import { describe, expect, it } from '@jest/globals';
import { assistant, result, text, use, user } from '../../../../test/support/blocks.js';
import { messagesCall } from '../../../../test/support/translation.js';
import { type NeutralRequest } from '../../../contract/neutral.js';
import { anthropicCodec } from './anthropic-codec.js';
import { saidToClaude } from './claude-said.js';

const asked = user(text('Go'));
const turnsOf = (...messages: object[]) =>
  saidToClaude({ model: 'openai/gpt-4o', messages } as unknown as NeutralRequest).messages;

describe('what is said to Claude by callers of other makers’ models', () => {
  it('has no blank texts where a caller of another format names it, either', () => {
    const yes = { role: 'assistant', content: 'Yes?' };
    const messages = [
      asked,
      yes,
      { role: 'user', content: ' ' },
      yes,
      user(text('\n'), text('Go')),
    ];
    const request = { system: ' ', messages } as object;
    const [call] = anthropicCodec.encode(
      messagesCall({ ...request, model: 'anthropic/claude-haiku-4-5' }),
    );
    const { json } = call?.body as unknown as { json: Record<string, unknown> };
    expect(json).not.toHaveProperty('system');
    expect(json.messages).toEqual([asked, yes, yes, messages[4]]);
  });

  it('has the last turn as it is, without which an answer would be continued', () => {
    const turns = [asked, { role: 'assistant', content: 'Yes?' }, { role: 'user', content: ' ' }];
    expect(turnsOf(...turns)).toEqual(turns);
  });

  it.each([
    ['I think: ', 'I think:'],
    [
      [text('I '), text('think:\n')],
      [text('I '), text('think:')],
    ],
    [' ', ' '],
  ])('has no space behind the beginning of an answer, as in %j', (begun, content) => {
    const earlier = { role: 'assistant', content: 'Yes? ' };
    const turns = [asked, earlier, asked];
    expect(turnsOf(...turns, { role: 'assistant', content: begun })).toEqual([
      ...turns,
      { role: 'assistant', content },
    ]);
  });

  it('has none in what tools answer', () => {
    const calls = assistant(use('a'), use('b'), use('c'), use('d'));
    const picture = { type: 'image', source: { type: 'url', url: 'https://x' } };
    const answers = user(
      result('a', [text('')]),
      result('b', [text(''), text('1')]),
      result('c', [text(' '), picture]),
      result('d', ' '),
    );
    expect(turnsOf(asked, calls, answers)).toEqual([
      asked,
      calls,
      user(
        { type: 'tool_result', tool_use_id: 'a' },
        result('b', [text('1')]),
        result('c', [picture]),
        { type: 'tool_result', tool_use_id: 'd' },
      ),
    ]);
  });

  it('has a text alone in results that failed, and what they show behind all results', () => {
    const calls = assistant(use('a'), use('b'), use('c'), use('d'));
    const failed = { is_error: true };
    const picture = { type: 'image', source: { type: 'url', url: 'https://x' } };
    const answers = user(
      result('a', '', failed),
      result('b', [text(''), picture], failed),
      result('c', [text('No'), picture], failed),
      result('d', [text('Yes'), picture]),
      text('Well?'),
    );
    expect(turnsOf(asked, calls, answers)[2]).toEqual(
      user(
        result('a', '(no output)', failed),
        result('b', '(no output)', failed),
        result('c', [text('No')], failed),
        result('d', [text('Yes'), picture]),
        ...[picture, picture, text('Well?')],
      ),
    );
  });

  it('has results before what the user says', () => {
    const answers = user(text('Here'), result('a', '1'), text('and'), result('b', '2'));
    const [, , said] = turnsOf(asked, assistant(use('a'), use('b')), answers);
    expect(said).toEqual(user(result('a', '1'), result('b', '2'), text('Here'), text('and')));
  });

  it('is the same where nothing has to change', () => {
    const turns = [
      asked,
      assistant(use('a'), use('b')),
      user(result('a', '1', { is_error: true }), result('b', [text('1'), null, 'x'])),
    ];
    const said = turnsOf(...turns);
    expect(said.every((turn, at) => turn === turns[at])).toBe(true);
  });
});
