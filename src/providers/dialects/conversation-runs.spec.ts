import { describe, expect, it } from '@jest/globals';
import { assistant, result, use, user } from '../../../test/support/blocks.js';
import { waysOf } from '../../../test/support/translation.js';
import { workedMs } from '../../../test/support/worked-ms.js';
import { type NeutralTurn } from '../../contract/neutral.js';
import { type Codec } from '../provider.js';
import { cohereCodec } from './cohere/cohere-codec.js';
import { converseCodec } from './converse/converse-codec.js';
import { geminiCodec } from './gemini/gemini-codec.js';
import { GEMINI_API, VERTEX } from './gemini/gemini-host.js';
import { ollamaCodec } from './ollama/ollama-dialect.js';
import { chatCodec, openaiChatCodec } from './openai-chat/openai-chat-codec.js';
import { responsesCodec } from './responses/responses-codec.js';

type Wire = Record<string, any>;

/** Of calls and results in the order in which they are sent: whose it is, and what a result says. */
interface Told {
  readonly call?: string;
  readonly id?: unknown;
  readonly says?: string;
}

const inChat = ({ messages }: Wire): Told[] =>
  messages.flatMap(({ tool_calls = [], tool_call_id, tool_name, content }: Wire): Told[] =>
    tool_call_id === undefined
      ? tool_calls.map(({ id, function: { name } }: Wire) => ({ call: name, id }))
      : [{ id: tool_call_id, says: content, ...(tool_name && { call: tool_name }) }],
  );
const inGemini = ({ contents }: Wire): Told[] =>
  contents
    .flatMap(({ parts }: Wire) => parts)
    .flatMap(({ functionCall, functionResponse }: Wire): Told[] => [
      ...(functionCall ? [{ call: functionCall.name, id: functionCall.id }] : []),
      ...(functionResponse
        ? [{ id: functionResponse.id, says: functionResponse.response.output }]
        : []),
    ]);
const inConverse = ({ messages }: Wire): Told[] =>
  messages
    .flatMap(({ content }: Wire) => content)
    .flatMap(({ toolUse, toolResult }: Wire): Told[] => [
      ...(toolUse ? [{ call: toolUse.name, id: toolUse.toolUseId }] : []),
      ...(toolResult ? [{ id: toolResult.toolUseId, says: toolResult.content[0].text }] : []),
    ]);
const inResponses = ({ input }: Wire): Told[] =>
  input.flatMap(({ call_id: id, name, output }: Wire): Told[] =>
    id === undefined ? [] : [name === undefined ? { id, says: output } : { call: name, id }],
  );

const FORMATS: readonly (readonly [string, Codec<'messages'>, (body: Wire) => Told[]])[] = [
  ['chat', openaiChatCodec, inChat],
  ['chat of short ids', chatCodec({ shortCallIds: true }), inChat],
  ['Responses', responsesCodec, inResponses],
  ['Gemini', geminiCodec(GEMINI_API), inGemini],
  ['Converse', converseCodec, inConverse],
  ['Cohere', cohereCodec, inChat],
  ['Ollama', ollamaCodec, inChat],
];

const tools = ['f', 'g'].map((name) => ({ name, input_schema: { type: 'object' } }));
const asked = user({ type: 'text', text: 'Go' });
const sentBy = (codec: Codec<'messages'>, ...turns: object[]) =>
  waysOf(codec).sent({ tools, messages: [asked, ...turns] as readonly NeutralTurn[] });

describe.each(FORMATS)('calls by one id, for %s', (_, codec, told) => {
  it('are apart where they are made at once, and each has its result', () => {
    const called = assistant(use('f', 'f', { at: 1 }), use('f', 'f', { at: 2 }));
    const sent = told(sentBy(codec, called, user(result('f', 'one'), result('f', 'two'))));
    const [first, second, one, two] = sent;
    expect(sent).toHaveLength(4);
    expect(first!.id).not.toBe(second!.id);
    expect([one, two]).toMatchObject([
      { id: first!.id, says: 'one' },
      { id: second!.id, says: 'two' },
    ]);
  });

  it('have one where they came without', () => {
    const turns = [assistant(use('', 'f'), use('', 'g')), user(result('', '1'), result('', '2'))];
    const [f, g, one, two] = told(sentBy(codec, ...turns));
    expect(f!.id).not.toBe('');
    expect(f!.id).not.toBe(g!.id);
    expect([one, two]).toMatchObject([
      { id: f!.id, says: '1' },
      { id: g!.id, says: '2' },
    ]);
  });

  it('are apart where they are made one after another, also of different tools', () => {
    const turns = [
      ...[assistant(use('a', 'f'), use('b', 'g')), user(result('a', '1'), result('b', '2'))],
      ...[assistant(use('b', 'f'), use('a', 'g')), user(result('b', '3'), result('a', '4'))],
    ];
    const sent = told(sentBy(codec, ...turns));
    const [a, b, one, two, c, d, three, four] = sent;
    expect(new Set([a, b, c, d].map((call) => call!.id)).size).toBe(4);
    expect([one, two, three, four]).toMatchObject([
      { id: a!.id, says: '1' },
      { id: b!.id, says: '2' },
      { id: c!.id, says: '3' },
      { id: d!.id, says: '4' },
    ]);
    const named = [one, two, three, four].flatMap(({ call } = {}) => call ?? []);
    expect(['', 'fgfg']).toContain(named.join(''));
  });
});

it('results go to Vertex in the order of their calls, by which alone it knows them', () => {
  const turns = [
    ...[assistant(use('a', 'f'), use('b', 'g')), user(result('b', '2'), result('a', '1'))],
    ...[assistant(use('b', 'f'), use('a', 'g')), user(result('a', '4'), result('b', '3'))],
  ];
  const sent = inGemini(sentBy(geminiCodec(VERTEX), ...turns));
  expect(sent.flatMap(({ says }) => says ?? [])).toEqual(['1', '2', '3', '4']);
});

// Work that grows with the square of the results is more than twenty times as much as the texts are.
describe.each(FORMATS)('30,000 results, for %s', (_, codec, told) => {
  const ids = Array.from({ length: 30_000 }, (_none, index) => `c${index}`);
  const mixed = ids.map((_none, index) => ids[(index * 7_919) % ids.length]!);
  const called = assistant(...ids.map((id) => use(id)));
  const texts = user(...ids.map((text) => ({ type: 'text', text })));

  it.each([
    ['of one call', [assistant(use('c')), user(...ids.map(() => result('c', 'r')))]],
    ['in another order than their calls', [called, user(...mixed.map((id) => result(id, 'r')))]],
  ])('%s are about as much work as texts', async (_kind, turns) => {
    let sent: Wire = {};
    const usual = await workedMs(() => sentBy(codec, called, texts));
    const ms = await workedMs(() => (sent = sentBy(codec, ...turns)));
    expect(told(sent).at(-1)).toHaveProperty('says');
    expect(ms).toBeLessThan(12 * usual);
  });
});
