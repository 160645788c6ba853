import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '../../../contract/gateway-error.js';
import { type Model } from '../../../contract/model.js';
import { NO_USAGE } from '../../../contract/usage.js';
import { type RawEvent, type RelayContext } from '../../provider.js';
import { OPENAIS_OWN } from './openai-chat-quirks.js';
import { chatRelay, openaiChatRelay } from './openai-chat-relay.js';

const call: RelayContext = {
  model: { id: 'openai/gpt-x', name: 'gpt-x', capabilities: {} } as Model,
  place: {},
  headers: {},
  stream: true,
  body: { stream: true },
  created: 7,
};
const wanting = { ...call, body: { stream: true, stream_options: { include_usage: true } } };
const bill = {
  cost: '0.5',
  provider: 'openai',
  usage: { ...NO_USAGE, inputTokens: 4, outputTokens: 9 },
};
const event = (data: object | string): RawEvent => {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return { name: undefined, data: text, bytes: Buffer.from(`data: ${text}\n\n`) };
};
const chunk = (delta: object, finish: string | null = null, more: object = {}) =>
  event({
    id: 'c1',
    model: 'gpt-x',
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...more,
  });
const usage = {
  prompt_tokens: 10,
  completion_tokens: 2,
  prompt_tokens_details: { cached_tokens: 6 },
};
const usageChunk = event({ id: 'c1', model: 'gpt-x', choices: [], usage });
const done = event('[DONE]');

function run(context: RelayContext, events: RawEvent[]) {
  const tap = openaiChatRelay.stream!(context);
  const sent = events.map((item) => tap.take(item)?.toString() ?? '').join('');
  return { tap, sent, closing: tap.closing(bill).toString() };
}

describe('openaiChatRelay', () => {
  it('always asks for usage on a stream and keeps the caller’s other stream options', () => {
    const body = { stream_options: { include_usage: false, include_obfuscation: false } };
    expect(openaiChatRelay.request({ ...call, body }).edits.get('stream_options')).toBe(
      '{"include_usage":true,"include_obfuscation":false}',
    );
    expect(openaiChatRelay.request({ ...call, stream: false }).edits.has('stream_options')).toBe(
      false,
    );
  });

  it.each([
    [
      'reasons at OpenAI',
      true,
      OPENAIS_OWN,
      { max_completion_tokens: '9', temperature: undefined, presence_penalty: undefined },
    ],
    [
      'reasons where nothing is refused',
      true,
      { thinksIn: ['reasoning'], knowsOpenai: true },
      { max_completion_tokens: '9', temperature: '0.5' },
    ],
    ['reasons elsewhere', true, { thinksIn: [] }, { max_tokens: '9' }],
    [
      'does not reason',
      false,
      { thinksIn: [] },
      { max_tokens: '9', reasoning_effort: undefined, verbosity: undefined, temperature: '0.5' },
    ],
    ['is of an unknown server', false, {}, { max_tokens: '9', reasoning_effort: '"low"' }],
  ] as const)('suits a model that was not named and %s', (_, reasons, quirks, want) => {
    const sent = (model: string) => {
      const sampling = { temperature: 0.5, presence_penalty: 1 };
      const body = { model, max_tokens: 9, reasoning_effort: 'low', verbosity: 'low', ...sampling };
      const capabilities = { supports_reasoning: reasons };
      const { edits } = chatRelay(quirks).request({
        ...call,
        model: { ...call.model, capabilities } as Model,
        stream: false,
        body,
      });
      const fields = Object.entries(body).map(([name, value]) => [name, JSON.stringify(value)]);
      return { ...Object.fromEntries(fields), ...Object.fromEntries(edits), model: undefined };
    };
    expect(sent('deepseek/deepseek-chat')).toEqual(
      expect.objectContaining({ reasoning_effort: '"low"', ...want }),
    );
    expect(sent(call.model.id)).toMatchObject({
      ...{ max_tokens: '9', reasoning_effort: '"low"', temperature: '0.5', verbosity: '"low"' },
    });
  });

  it('calls fields by the names that the provider knows, and leaves out what it refuses', () => {
    const fields = { max_completion_tokens: 'max_tokens', user: undefined, seed: 'random_seed' };
    const body = { max_completion_tokens: 9, max_tokens: 5, user: 'u', seed: 7, temperature: 1 };
    const { edits } = chatRelay({ fields }).request({ ...call, stream: false, body });
    expect([...edits]).toEqual([
      ['model', '"gpt-x"'],
      ['max_completion_tokens', undefined],
      ['user', undefined],
      ['seed', undefined],
      ['random_seed', '7'],
    ]);
  });

  it('hides the usage chunk from a caller who did not ask', () => {
    const { tap, sent, closing } = run(call, [chunk({ content: 'hi' }, 'stop'), usageChunk, done]);
    expect(sent).toContain('"model":"openai/gpt-x"');
    expect(sent).not.toContain('usage');
    expect(closing).toBe('data: [DONE]\n\n');
    expect(tap.usage).toMatchObject({ inputTokens: 4, cacheReadTokens: 6, outputTokens: 2 });
  });

  it('puts cost and provider into the usage chunk of a caller who asked', () => {
    const { closing } = run(wanting, [chunk({ content: 'hi' }, 'stop'), usageChunk, done]);
    const [first, last] = closing.trim().split('\n\n');
    expect(JSON.parse(first!.slice(6))).toMatchObject({ usage, cost: 0.5, provider: 'openai' });
    expect(last).toBe('data: [DONE]');
  });

  it('makes a usage chunk when the provider sent none', () => {
    const { closing } = run(wanting, [chunk({ content: 'hi' }, 'stop'), done]);
    expect(JSON.parse(closing.split('\n\n')[0]!.slice(6))).toEqual({
      id: 'c1',
      object: 'chat.completion.chunk',
      created: 7,
      model: 'openai/gpt-x',
      choices: [],
      usage: { prompt_tokens: 4, completion_tokens: 9, total_tokens: 13 },
      cost: 0.5,
      provider: 'openai',
    });
  });

  it('takes the last of several cumulative usages and shows every chunk that has choices', () => {
    const { tap, sent, closing } = run(wanting, [
      chunk({ content: 'a' }, null, { usage: { prompt_tokens: 10, completion_tokens: 1 } }),
      chunk({ content: 'b' }, 'stop', { usage }),
      done,
    ]);
    expect(tap.usage?.outputTokens).toBe(2);
    expect(sent).toContain('"content":"a"');
    expect(closing).toContain('"content":"b"');
    expect(closing).toContain('"cost":0.5');
  });

  it('shows the usage chunk last, and once, when the provider sends more behind it', () => {
    const behind = event({ id: 'c1', model: 'gpt-x', choices: [], moderation: {} });
    const events = [chunk({ content: 'hi' }, 'stop'), usageChunk, behind, done];
    const { sent, closing } = run(wanting, events);
    expect(sent).toMatch(/"moderation":\{\}[^\n]*\n\n$/);
    expect(sent).not.toContain('usage');
    const [last, ...rest] = closing.trim().split('\n\n');
    expect(JSON.parse(last!.slice(6))).toMatchObject({ usage, cost: 0.5 });
    expect(rest).toEqual(['data: [DONE]']);
    expect(run(call, events)).toMatchObject({ sent, closing: 'data: [DONE]\n\n' });
  });

  it('keeps chunks that say nothing for the first one that does, or for the end', () => {
    const judged = event({ id: 'c1', choices: [], prompt_filter_results: [] });
    const empty = chunk({ content: '', role: null, tool_calls: [] });
    const tap = openaiChatRelay.stream!(call);
    expect([tap.take(judged), tap.take(empty)]).toEqual([undefined, undefined]);
    const first = tap.take(chunk({ role: 'assistant', content: '' }))?.toString();
    expect(first).toMatch(/^data: .*filter.*\n\ndata: .*null.*\n\ndata: .*"assistant".*\n\n$/);
    expect(tap.take(empty)?.toString()).toContain('"role":null');
    expect(run(call, [judged, empty, done])).toMatchObject({
      sent: '',
      closing: expect.stringMatching(/^data: .*filter.*\n\ndata: .*\n\ndata: \[DONE\]\n\n$/),
    });
    expect(run(call, Array(4).fill(judged)).sent.match(/filter/g)).toHaveLength(4);
  });

  it('keeps no text waiting whose chunk reports usage', () => {
    const tap = openaiChatRelay.stream!(call);
    const reporting = chunk({ content: 'a' }, null, { usage });
    expect(tap.take(reporting)?.toString()).toContain('"content":"a"');
    expect(tap.take(chunk({}, 'stop', { usage }))).toBeUndefined();
    expect(tap).toMatchObject({ usage: { outputTokens: 2 }, isFinal: true });
  });

  it('knows that a stream without [DONE] is complete once each choice has finished', () => {
    const second = (finish: string | null) =>
      event({ choices: [{ delta: { content: 'b' }, index: 1, finish_reason: finish }] });
    const complete = (...events: RawEvent[]) => run(call, events).tap.complete;
    expect(complete(chunk({ content: 'a' }))).toBe(false);
    expect(complete(chunk({ content: 'a' }, ''))).toBe(false);
    expect(complete(chunk({ content: 'a' }, 'stop'))).toBe(true);
    expect(complete(second(null), chunk({ content: 'a' }, 'stop'))).toBe(false);
    expect(complete(second(null), chunk({}, 'stop'), second('length'))).toBe(true);
  });

  it('puts our count in the place of one that is none', () => {
    const wrong = { prompt_tokens: 10, completion_tokens: -2, total_tokens: 8 };
    const events = [
      chunk({ content: 'a' }, null, { usage: wrong }),
      chunk({ content: 'b' }, 'stop', { usage: wrong }),
    ];
    for (const context of [call, wanting]) {
      const { tap, sent, closing } = run(context, [...events, done]);
      expect(tap.usage).toBeUndefined();
      expect(sent).toContain('"usage":null');
      expect(closing).toContain('"completion_tokens":9,"total_tokens":13}');
      expect(sent + closing).not.toContain('-2');
    }
    const odd = { ...usage, completion_tokens_details: { reasoning_tokens: -1 } };
    const { tap, closing } = run(wanting, [chunk({ content: 'b' }, 'stop', { usage: odd }), done]);
    expect(tap.usage?.outputTokens).toBe(2);
    expect(closing).not.toContain('-1');
    expect(closing).toContain('"completion_tokens":9');
  });

  it('takes what came for the whole where [DONE] is behind it: not all say why they stop', () => {
    expect(run(call, [chunk({ content: 'a' }), done]).tap.state).toBe('ended');
    // OpenAI's own answers in audio.
    expect(run(call, [chunk({ audio: { data: 'AAAA' } }), done]).tap.state).toBe('ended');
  });

  it.each([[[done]], [[usageChunk, done]], [[event('noise'), done]]])(
    'refuses a stream that ends without an answer (%#)',
    (events) => {
      expect(() => run(call, events)).toThrow(GatewayError);
    },
  );

  it('reads whole replies; one without a choice is no answer', () => {
    const reply = (body: object) => openaiChatRelay.reply(Buffer.from(JSON.stringify(body)), call);
    const choices = [{ index: 0, message: { content: 'hi' } }];
    expect(reply({ choices, usage })).toMatchObject({ usage: { outputTokens: 2 } });
    expect(reply({ choices, usage })?.usageOf).toBeUndefined();
    const wrong = reply({ choices, usage: { ...usage, completion_tokens: -2 } });
    expect(wrong?.usageOf?.({ ...bill.usage, cacheReadTokens: 6 })).toEqual({
      prompt_tokens: 10,
      completion_tokens: 9,
      total_tokens: 19,
      prompt_tokens_details: { cached_tokens: 6 },
    });
    expect(reply({ choices: [], usage })).toBeUndefined();
    expect(reply({ choices: [], error: { message: 'x' } })?.error?.message).toBe('x');
  });

  it('notices an error chunk', () => {
    const { tap, sent } = run(call, [event({ error: { message: 'Busy', code: 'x' } })]);
    expect([tap.state, tap.error]).toEqual(['failed', { message: 'Busy', code: 'x' }]);
    expect(sent).toContain('Busy');
  });

  it.each([
    ['of its own', { object: 'error', message: 'Busy', code: 'x' }],
    [
      'beside a choice',
      { choices: [{ index: 0, delta: {}, error: { message: 'Busy', code: 'x' } }] },
    ],
    ['in Groq’s member', { choices: [], x_groq: { error: { message: 'Busy', code: 'x' } } }],
  ])('puts an error where SDKs look for one: %s', (_, failure) => {
    const { tap, sent } = run(call, [chunk({ content: 'hi' }), event(failure)]);
    expect([tap.state, tap.error]).toEqual(['failed', { message: 'Busy', code: 'x' }]);
    const last = sent.trim().split('\n\n').at(-1)!;
    expect(JSON.parse(last.slice('data: '.length))).toEqual({ ...failure, error: tap.error });
    const { data } = event(failure);
    expect(openaiChatRelay.reply!(Buffer.from(data), call)?.error).toEqual(tap.error);
  });

  it('takes empty errors for none, and one beside a whole text for what came behind it', () => {
    const none = [{ error: null }, { choices: [{ index: 0, delta: {}, error: null }] }];
    const { tap } = run(call, [...none, { x_groq: { error: null } }].map(event));
    expect(tap.state).toBe('open');
    const said = [{ message: { content: 'Hi' }, error: { message: 'Late' } }];
    const bytes = Buffer.from(JSON.stringify({ choices: said }));
    expect(openaiChatRelay.reply!(bytes, call)).toMatchObject({ outputBytes: 2 });
    expect(openaiChatRelay.reply!(bytes, call)).not.toHaveProperty('error');
  });

  it('counts what was produced', () => {
    const { tap } = run(call, [
      chunk({ content: 'hello' }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] }),
    ]);
    expect(tap.outputBytes).toBe(7);
  });

  it('counts the texts of parts, however deep they stand', () => {
    const { tap } = run(call, [chunk({ content: [{ type: 'text', text: 'é"' }] })]);
    expect(tap.outputBytes).toBe(3);
    const deep = `${'['.repeat(50_000)}{"text":"Hi"}${']'.repeat(50_000)}`;
    tap.take(event(`{"choices":[{"index":0,"delta":{"content":${deep}}}]}`));
    expect(tap.outputBytes).toBe(5);
  });
});
