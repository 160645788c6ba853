import { describe, expect, it } from '@jest/globals';
import { type Handler } from './support/fake-upstream.js';
import { MESSAGE, streamEnd, streamStart, textBlock } from './support/fault-answers.js';
import { useFaultyProvider } from './support/fault-gateway.js';
import { sends } from './support/fault-modes.js';
import { eventsIn } from './support/lessons.js';

const provider = useFaultyProvider();

type Count = number | string;

/** A call that is passed on, its provider's answer with these counts, and what of it is shown. */
interface Relayed {
  readonly name: string;
  readonly request: readonly [string, object];
  readonly answer: (input: Count, output: Count) => string;
  /** The usage that the caller takes for the last word. */
  readonly shown: (text: string) => Record<string, unknown>;
  readonly names: readonly [input: string, output: string];
}

const said = [{ role: 'user', content: 'Hello' }];
const claude = { model: 'anthropic/claude-haiku-4-5', messages: said };
const gpt = { model: 'openai/gpt-4o-mini', messages: said };
const asked = { model: 'openai/gpt-4o-mini', input: 'Hello' };
const stream = true;
const include = { stream_options: { include_usage: true } };
const OPENAI = ['prompt_tokens', 'completion_tokens'] as const;
const NEUTRAL = ['input_tokens', 'output_tokens'] as const;

const chatUsage = (prompt_tokens: Count, completion_tokens: Count) => ({
  ...{ prompt_tokens, completion_tokens, total_tokens: prompt_tokens },
});
const neutral = (input_tokens: Count, output_tokens: Count) => ({ input_tokens, output_tokens });
const chunk = (fields: object) => `data: ${JSON.stringify({ id: 'c', ...fields })}\n\n`;
const choice = (fields: object) => ({ choices: [{ index: 0, ...fields }] });
const response = (usage: object) => ({
  ...{ id: 'resp_1', object: 'response', status: 'completed', usage },
  output: [{ type: 'message', content: [{ type: 'output_text', text: 'ok' }] }],
});
const completed = (usage: object) => ({ type: 'response.completed', response: response(usage) });
const vectors = {
  data: [{ object: 'embedding', index: 0, embedding: [0.5] }],
};

const whole = (text: string) => JSON.parse(text).usage;
const last = (text: string) =>
  eventsIn(text)
    .map(({ data }) => data.usage ?? data.response?.usage)
    .filter(Boolean)
    .at(-1);

const RELAYED: readonly Relayed[] = [
  {
    name: 'a message',
    request: ['/v3/v1/messages', claude],
    answer: (...counts) => JSON.stringify({ ...MESSAGE, usage: neutral(...counts) }),
    shown: whole,
    names: NEUTRAL,
  },
  {
    name: 'a streamed message',
    request: ['/v3/v1/messages', { ...claude, stream }],
    answer: (...counts) =>
      streamStart(neutral(...counts)) + textBlock('ok') + streamEnd(neutral(...counts)),
    shown: last,
    names: NEUTRAL,
  },
  {
    name: 'a chat',
    request: ['/v3/chat/completions', gpt],
    answer: (...counts) =>
      JSON.stringify({ ...choice({ message: { content: 'ok' } }), usage: chatUsage(...counts) }),
    shown: whole,
    names: OPENAI,
  },
  {
    name: 'a streamed chat',
    request: ['/v3/chat/completions', { ...gpt, stream, ...include }],
    answer: (...counts) =>
      chunk(choice({ delta: { content: 'ok' }, finish_reason: 'stop' })) +
      chunk({ choices: [], usage: chatUsage(...counts) }) +
      'data: [DONE]\n\n',
    shown: last,
    names: OPENAI,
  },
  {
    name: 'a response',
    request: ['/v3/responses', asked],
    answer: (...counts) => JSON.stringify(response(neutral(...counts))),
    shown: whole,
    names: NEUTRAL,
  },
  {
    name: 'a streamed response',
    request: ['/v3/responses', { ...asked, stream }],
    answer: (...counts) => chunk(completed(neutral(...counts))),
    shown: last,
    names: NEUTRAL,
  },
  {
    name: 'embeddings',
    request: ['/v3/embeddings', { ...asked, model: 'openai/text-embedding-3-small' }],
    answer: (count) =>
      JSON.stringify({ ...vectors, usage: { prompt_tokens: count, total_tokens: count } }),
    shown: whole,
    names: ['prompt_tokens', 'total_tokens'],
  },
];

function answering(text: string): Handler {
  const isStream = !text.startsWith('{');
  return sends(text, 200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
}

/** Both counts wrong, the one, and the other. */
const WRONG = [
  [-12, -34],
  [-12, 7],
  [7, -34],
  [1e15, 1e15],
  [1.5, 2.5],
  ['12', '34'],
] as const;

describe.each(RELAYED)('UF-19 The usage of $name', ({ request, answer, shown, names }) => {
  it.each(WRONG)('is our own where the provider says %j and %j', async (input, output) => {
    provider.upstream.answers(answering(answer(input, output)));
    const { text, id } = await provider.ask(request);
    const { row } = await provider.booked(id);
    const isSound = names[1] === 'total_tokens' && input === 7;
    expect(row).toMatchObject({ outcome: 'ok', estimated: !isSound });
    const [inputs, outputs] = names;
    expect(shown(text)).toMatchObject({
      [inputs]: row.input_tokens,
      [outputs]: outputs === 'total_tokens' ? row.input_tokens : row.output_tokens,
    });
    expect(text).not.toMatch(/_tokens":("|-|\d{15}|\d+\.)/);
  });

  it('is the provider’s where that is one', async () => {
    provider.upstream.answers(answering(answer(7, 9)));
    const { text, id } = await provider.ask(request);
    expect((await provider.booked(id)).row.estimated).toBe(false);
    expect(shown(text)).toMatchObject(names[1] === 'total_tokens' ? {} : { [names[1]]: 9 });
    expect(shown(text)).toMatchObject({ [names[0]]: 7 });
  });
});

describe('UF-19 A total', () => {
  const request = ['/v3/embeddings', { ...asked, model: 'openai/text-embedding-3-small' }] as const;
  const reports = (usage: object) => answering(JSON.stringify({ ...vectors, usage }));

  it.each([[-1], [1.5], ['7']])('is no stand-in for a count that is %j', async (prompt_tokens) => {
    provider.upstream.answers(reports({ prompt_tokens, total_tokens: 0 }));
    const { text, id } = await provider.ask(request);
    const { row, charges } = await provider.booked(id);
    expect(row).toMatchObject({ outcome: 'ok', estimated: true });
    expect(row.cost).toBeGreaterThan(0);
    expect(charges).toEqual([-row.cost]);
    const own = { prompt_tokens: row.input_tokens, total_tokens: row.input_tokens };
    expect(JSON.parse(text).usage).toEqual(own);
  });

  it('stands in for one that is left out', async () => {
    provider.upstream.answers(reports({ total_tokens: 7 }));
    const { row } = await provider.booked((await provider.ask(request)).id);
    expect(row).toMatchObject({ estimated: false, input_tokens: 7 });
  });
});
