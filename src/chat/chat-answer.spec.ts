import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { modelNamed } from '../../test/support/translation.js';
import { type NeutralBlock, type NeutralMessage } from '../contract/neutral.js';
import { NO_USAGE } from '../contract/usage.js';
import { type SurfaceCall } from '../dispatch/surface.js';
import { chatSurface } from './chat-surface.js';

const callWith = (body: object = {}): SurfaceCall => ({
  model: modelNamed('anthropic/claude-x'),
  body: { model: 'anthropic/claude-x', messages: [], ...body },
  id: 'req_abc',
  created: 7,
});

const usage = {
  ...NO_USAGE,
  inputTokens: 10,
  outputTokens: 5,
  cacheReadTokens: 3,
  cacheWriteTokens: 2,
};
const bill = { cost: '0.00001', provider: 'anthropic', usage };
const counts = {
  prompt_tokens: 15,
  completion_tokens: 5,
  total_tokens: 20,
  prompt_tokens_details: { cached_tokens: 3, cache_write_tokens: 2 },
};

const messageOf = (content: NeutralBlock[], more: object = {}): NeutralMessage => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-x',
  content,
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 5 },
  ...more,
});

interface Completion {
  id: string;
  created: number;
  choices: { message: Record<string, unknown>; finish_reason: string }[];
  usage: object;
}

const rendered = (content: NeutralBlock[], more: object = {}, body: object = {}) =>
  chatSurface.render(messageOf(content, more), usage, callWith(body)) as Completion;
const choiceOf = (...parts: Parameters<typeof rendered>) => rendered(...parts).choices[0]!;

const text = (value: string, more: object = {}) => ({ type: 'text', text: value, ...more });
const use = (id: string, input: object) => ({ type: 'tool_use', id, name: 'f', input });
const thinking = (value: string, signature = 's') => ({
  type: 'thinking',
  thinking: value,
  signature,
});
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBO' } };
const citation = {
  type: 'web_search_result_location',
  url: 'https://a.example',
  title: 'A',
  cited_text: 'x',
  encrypted_index: 'e',
};

describe('chat answer, whole', () => {
  it('is a chat completion', () => {
    expect(rendered([text('Hi')])).toEqual({
      id: 'chatcmpl-abc',
      object: 'chat.completion',
      created: 7,
      model: 'anthropic/claude-x',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Hi', refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: counts,
    });
  });

  it('has null for the content where there are only calls, and arguments as text', () => {
    const { message, finish_reason } = choiceOf([use('c', { a: 1 }), use('d', {})], {
      stop_reason: 'tool_use',
    });
    expect(finish_reason).toBe('tool_calls');
    expect(message).toMatchObject({
      content: null,
      tool_calls: [
        { id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
        { id: 'd', type: 'function', function: { name: 'f', arguments: '{}' } },
      ],
    });
    expect(choiceOf([]).message.content).toBe('');
  });

  it('calls a function for a caller who knows no tools', () => {
    const { message, finish_reason } = choiceOf(
      [use('c', { a: 1 })],
      { stop_reason: 'tool_use' },
      { functions: [] },
    );
    expect(finish_reason).toBe('function_call');
    expect(message.function_call).toEqual({ name: 'f', arguments: '{"a":1}' });
    expect(message).not.toHaveProperty('tool_calls');
  });

  it('gives thinking as text and with its proofs', () => {
    const { message } = choiceOf([
      thinking('a', '1'),
      { type: 'redacted_thinking', data: 'xyz' },
      text('so'),
      thinking('b', ''),
    ]);
    const format = 'anthropic-claude-v1';
    expect(message).toMatchObject({
      content: 'so',
      reasoning_content: 'ab',
      reasoning_details: [
        { type: 'reasoning.text', text: 'a', signature: '1', format, index: 0 },
        { type: 'reasoning.encrypted', data: 'xyz', format, index: 1 },
        { type: 'reasoning.text', text: 'b', format, index: 3 },
      ],
    });
  });

  it('gives pictures, and the pages of a search with where they are cited', () => {
    const blocks = [
      text('Before '),
      { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'q' } },
      { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
      text('it rains.', { citations: [citation, { type: 'page_location', document_index: 0 }] }),
      image,
      { type: 'image', source: { type: 'url', url: 'https://x.example/a.png' } },
    ];
    expect(choiceOf(blocks).message).toMatchObject({
      content: 'Before it rains.',
      annotations: [
        {
          type: 'url_citation',
          url_citation: { url: 'https://a.example', title: 'A', start_index: 7, end_index: 16 },
        },
      ],
      images: [
        { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBO' } },
        { type: 'image_url', image_url: { url: 'https://x.example/a.png' } },
      ],
    });
  });

  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['pause_turn', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['tool_use', 'tool_calls'],
    ['refusal', 'content_filter'],
    ['something_new', 'stop'],
    [null, 'stop'],
  ])('ends with %j as %s', (stop_reason, finish) => {
    expect(choiceOf([text('x')], { stop_reason }).finish_reason).toBe(finish);
  });

  it('says that an answer was filtered where nothing came, and why where that is known', () => {
    expect(choiceOf([], { stop_reason: null }).finish_reason).toBe('content_filter');
    const stop_details = { type: 'refusal', explanation: 'not that' };
    const { message } = choiceOf([], { stop_reason: 'refusal', stop_details });
    expect(message.refusal).toBe('not that');
  });

  it('tells the tokens of thinking where the provider did', () => {
    const told = {
      input_tokens: 1,
      output_tokens: 5,
      output_tokens_details: { thinking_tokens: 4 },
    };
    expect(rendered([], { usage: told }).usage).toEqual({
      ...counts,
      completion_tokens_details: { reasoning_tokens: 4 },
    });
  });
});

/** The events that Anthropic sends for a message, with its pieces cut in two. */
function* eventsOf({ content, ...message }: NeutralMessage): Generator<object> {
  yield { type: 'message_start', message: { ...message, content: [] } };
  yield { type: 'ping' };
  for (const [index, block] of content.entries()) {
    const delta = (fields: object) => ({ type: 'content_block_delta', index, delta: fields });
    const halves = (value: unknown) => {
      const whole = String(value);
      const middle = Math.floor(whole.length / 2);
      return [whole.slice(0, middle), whole.slice(middle)];
    };
    const start = (content_block: object) => ({
      type: 'content_block_start',
      index,
      content_block,
    });
    switch (block.type) {
      case 'text':
        yield start({ type: 'text', text: '' });
        for (const piece of halves(block.text)) yield delta({ type: 'text_delta', text: piece });
        for (const cited of (block.citations ?? []) as object[]) {
          yield delta({ type: 'citations_delta', citation: cited });
        }
        break;
      case 'thinking':
        yield start({ type: 'thinking', thinking: '', signature: '' });
        for (const piece of halves(block.thinking)) {
          yield delta({ type: 'thinking_delta', thinking: piece });
        }
        yield delta({ type: 'signature_delta', signature: block.signature });
        break;
      case 'tool_use':
      case 'server_tool_use': {
        yield start({ ...block, input: {} });
        const json =
          Object.keys(block.input as object).length > 0 ? JSON.stringify(block.input) : '';
        for (const piece of ['', ...halves(json)]) {
          yield delta({ type: 'input_json_delta', partial_json: piece });
        }
        break;
      }
      default:
        yield start(block);
    }
    yield { type: 'content_block_stop', index };
  }
  const { stop_reason, stop_sequence, stop_details, usage } = message;
  yield { type: 'message_delta', delta: { stop_reason, stop_sequence, stop_details }, usage };
}

interface Chunk {
  choices: { delta: Record<string, any>; finish_reason: string | null }[];
  usage?: object;
  [field: string]: unknown;
}

const framesOf = (events: Iterable<object>, body: object = {}, ended = true): string[] => {
  const writer = chatSurface.writer!(callWith(body));
  const pieces: Buffer[] = [];
  for (const event of events) {
    const piece = writer.write({
      name: (event as { type: string }).type,
      data: JSON.stringify(event),
    });
    if (piece) pieces.push(piece);
  }
  if (ended) pieces.push(writer.closing(bill));
  const frames = Buffer.concat(pieces).toString().split('\n\n');
  expect(frames.pop()).toBe('');
  return frames.map((frame) => {
    expect(frame.startsWith('data: ')).toBe(true);
    return frame.slice('data: '.length);
  });
};

const chunksOf = (content: NeutralBlock[], more: object = {}, body: object = {}): Chunk[] => {
  const frames = framesOf(eventsOf(messageOf(content, more)), body);
  expect(frames.pop()).toBe('[DONE]');
  return frames.map((frame) => JSON.parse(frame) as Chunk);
};

/** The message that a client puts together from the chunks, as OpenAI documents them. */
function assembled(chunks: readonly Chunk[]): Record<string, any> {
  const message: Record<string, any> = { content: '', refusal: null };
  const lists = new Set(['reasoning_details', 'images', 'annotations']);
  for (const { choices } of chunks) {
    for (const [field, value] of Object.entries(choices[0]?.delta ?? {})) {
      if (lists.has(field)) message[field] = [...(message[field] ?? []), ...value];
      else if (field === 'tool_calls') {
        for (const { index, function: called, ...head } of value) {
          const calls = (message.tool_calls ??= []);
          // A call begins with its id and name, and the next one behind it.
          if (index === calls.length) calls.push({ ...head, function: { ...called } });
          else calls[index].function.arguments += called.arguments;
          expect(index).toBeLessThan(calls.length);
        }
      } else message[field] = (message[field] ?? '') + value;
    }
  }
  return message;
}

describe('chat answer, streamed', () => {
  it('names the role once, ends with the reason alone, and tells the usage to who asks', () => {
    const plain = chunksOf([text('Hi')]);
    const asked = chunksOf([text('Hi')], {}, { stream_options: { include_usage: true } });
    const head = {
      id: 'chatcmpl-abc',
      object: 'chat.completion.chunk',
      created: 7,
      model: 'anthropic/claude-x',
    };
    const chunk = (delta: object, finish_reason: string | null = null) => ({
      ...head,
      choices: [{ index: 0, delta, finish_reason }],
    });
    expect(plain).toEqual([
      chunk({ role: 'assistant', content: '' }),
      chunk({ content: 'H' }),
      chunk({ content: 'i' }),
      chunk({}, 'stop'),
    ]);
    const last = { ...head, choices: [], usage: counts, cost: 0.00001, provider: 'anthropic' };
    expect(asked).toEqual([...plain, last]);
  });

  it('begins a call with its id and name, and gives an empty input once', () => {
    const chunks = chunksOf([use('c', {}), use('d', { a: 1 })], { stop_reason: 'tool_use' });
    const calls = chunks.flatMap(({ choices }) => choices[0]!.delta.tool_calls ?? []);
    expect(calls).toEqual([
      { index: 0, id: 'c', type: 'function', function: { name: 'f', arguments: '' } },
      { index: 0, function: { arguments: '{}' } },
      { index: 1, id: 'd', type: 'function', function: { name: 'f', arguments: '' } },
      { index: 1, function: { arguments: '{"a' } },
      { index: 1, function: { arguments: '":1}' } },
    ]);
    expect(chunks.at(-1)?.choices[0]).toEqual({ index: 0, delta: {}, finish_reason: 'tool_calls' });
  });

  it('says why the model declined before it ends', () => {
    const stop_details = { type: 'refusal', explanation: 'not that' };
    const chunks = chunksOf([text('x')], { stop_reason: 'refusal', stop_details });
    expect(assembled(chunks)).toMatchObject({ content: 'x', refusal: 'not that' });
    const finish = { index: 0, delta: {}, finish_reason: 'content_filter' };
    expect(chunks.at(-1)?.choices).toEqual([finish]);
  });

  it.each([
    [{ a: 1 }, '{"a":1}'],
    [{ INVALID_JSON: '{"a":' }, '{"a":'],
    [{ INVALID_JSON: '{"a":', b: 1 }, '{"INVALID_JSON":"{\\"a\\":","b":1}'],
  ])(
    'gives an input that came with the call, such as %j, as it does in a whole one',
    (input, written) => {
      const events = [
        { type: 'content_block_start', index: 0, content_block: use('c', input) },
        { type: 'content_block_stop', index: 0 },
      ];
      const message = assembled(
        framesOf(events)
          .slice(0, -1)
          .map((frame) => JSON.parse(frame)),
      );
      expect(message.tool_calls[0].function.arguments).toBe(written);
      const whole = choiceOf([use('c', input)]).message.tool_calls;
      expect(whole).toMatchObject([{ function: { arguments: written } }]);
    },
  );

  it('calls one function for a caller who knows no tools', () => {
    const chunks = chunksOf(
      [use('c', { a: 1 }), use('d', {})],
      { stop_reason: 'tool_use' },
      { functions: [] },
    );
    const calls = chunks.flatMap(({ choices }) => choices[0]!.delta.function_call ?? []);
    expect(calls[0]).toEqual({ name: 'f', arguments: '' });
    expect(
      calls
        .slice(1)
        .map((called) => called.arguments)
        .join(''),
    ).toBe('{"a":1}');
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('function_call');
  });

  it('says nothing for pings, unknown events, noise, and tools that run at the provider', () => {
    const blocks = [
      { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'q' } },
      {
        type: 'web_search_tool_result',
        tool_use_id: 's',
        content: [{ type: 'web_search_result' }],
      },
      { type: 'something_new', data: 'x' },
    ];
    expect(chunksOf(blocks)).toHaveLength(2);
    const writer = chatSurface.writer!(callWith());
    for (const data of ['', '[DONE]', 'null', '7', '{"type":"something_new"}', '{}']) {
      expect(writer.write({ name: undefined, data })).toBeUndefined();
    }
  });

  it.each([
    [
      { type: 'overloaded_error', message: 'Busy' },
      { type: 'server_error', code: 'provider_unavailable', message: 'Busy' },
    ],
    [
      { type: 'rate_limit_error', message: 'm' },
      { type: 'rate_limit_error', code: 'rate_limit_exceeded', message: 'm' },
    ],
    [
      { type: 'invalid_request_error', message: 'm' },
      { type: 'invalid_request_error', code: 'invalid_request', message: 'm' },
    ],
    [
      { type: 'api_error', message: 'm' },
      { type: 'upstream_error', code: 'upstream_error', message: 'm' },
    ],
    [
      { type: 'constructor' },
      { type: 'upstream_error', code: 'upstream_error', message: expect.any(String) },
    ],
    [undefined, { type: 'upstream_error', code: 'upstream_error', message: expect.any(String) }],
  ])('ends in an error chunk for %j', (error, wanted) => {
    const [frame, ...more] = framesOf([{ type: 'error', error }], {}, false);
    expect(more).toEqual([]);
    expect(JSON.parse(frame!)).toEqual({ error: { ...wanted, param: null } });
  });
});

const someText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
/** JSON has no -0. */
const someJson = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)));
const someInput = fc.dictionary(fc.string({ maxLength: 5 }), someJson, {
  maxKeys: 3,
});
const someCalls = fc
  .array(someInput, { maxLength: 3 })
  .map((inputs) => inputs.map((input, index) => use(`c${index}`, input)));
const someThinking = fc.oneof(
  fc.tuple(someText, someText).map(([value, signature]) => thinking(value, signature)),
  someText.map((data) => ({ type: 'redacted_thinking', data })),
);
const someText1 = fc
  .option(someText, { nil: undefined })
  .map((value) => (value ? [text(value)] : []));

describe('chat answer: what comes back', () => {
  /** The turn that a neutral request has for a message that a client sends back. */
  const turnOf = (message: object) => {
    const messages = [
      { role: 'user', content: 'x' },
      { ...message, role: 'assistant' },
    ];
    const content = chatSurface.read({ model: 'a/b', messages }).messages[1]?.content ?? [];
    return typeof content === 'string' ? [text(content)] : content;
  };

  it('is the same streamed and whole, and holds every block in its place', () => {
    fc.assert(
      fc.property(
        fc.array(someThinking, { maxLength: 3 }),
        someText1,
        fc.array(someThinking, { maxLength: 2 }),
        someCalls,
        (first, said, second, calls) => {
          // Two blocks of thinking in a row are one to a client who drops the indexes.
          const content: NeutralBlock[] = [...first, ...said, ...second, ...calls];
          const whole = choiceOf(content).message;
          const streamed = assembled(chunksOf(content));
          expect(turnOf(whole)).toEqual(content);
          expect(turnOf(streamed)).toEqual(content);
          expect(streamed.content).toBe(whole.content ?? '');
          expect(streamed.reasoning_content).toEqual(whole.reasoning_content);
          expect(streamed.tool_calls).toEqual(
            (whole.tool_calls as object[] | undefined)?.map((called) => called),
          );
        },
      ),
    );
  });
});
