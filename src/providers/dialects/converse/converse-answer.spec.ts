import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Readable } from 'node:stream';
import { messagesCall, replyOf } from '../../../../test/support/translation.js';
import { type NeutralBlock, type NeutralMessage } from '../../../contract/neutral.js';
import { type ServerEvent } from '../../provider.js';
import { converseCodec } from './converse-codec.js';
import { marked } from '../proof-marks.js';
import { wireToolName } from '../wire-names.js';

const NOVA = 'us.amazon.nova-2-lite-v1:0';
const CLAUDE = 'eu.anthropic.claude-haiku-4-5-20251001-v1:0';

const context = (request: object = {}, model = NOVA) =>
  messagesCall({ model: `bedrock/${model}`, stream: true, ...request });

const decode = (body: unknown, call = context()) => converseCodec.decode([replyOf(body)], call);
const answer = (content: object[], more: object = {}) => ({
  output: { message: { role: 'assistant', content } },
  stopReason: 'end_turn',
  usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7 },
  ...more,
});
const contentOf = (content: object[], call = context()) =>
  decode(answer(content), call).result.content;

/** What came out before the stream ended, and the error that ended it. */
const collect = async (events: [string, object | string][], call = context()) => {
  const source = events.map(([name, data]): ServerEvent => ({
    name,
    data: typeof data === 'string' ? data : JSON.stringify(data),
  }));
  const seen: any[] = [];
  try {
    for await (const { name, data } of converseCodec.decodeStream!(Readable.from(source), call)) {
      const event = JSON.parse(data) as { type: string };
      expect(event.type).toBe(name);
      seen.push(event);
    }
  } catch (error) {
    return { seen, error: error as Error & { status: number } };
  }
  return { seen, error: undefined };
};

/** The message that an SDK assembles, after checking the order that it relies on. */
const assembled = (seen: any[]) => {
  const blocks: any[] = [];
  let open: number | undefined;
  for (const event of seen) {
    if (event.type === 'content_block_start') {
      expect([event.index, open]).toEqual([blocks.length, undefined]);
      open = event.index as number;
      blocks.push({ ...event.content_block, json: '' });
    } else if (event.type === 'content_block_stop') {
      expect(event.index).toBe(open);
      open = undefined;
    } else if (event.type === 'content_block_delta') {
      expect(event.index).toBe(open);
      const { type, ...delta } = event.delta;
      const block = blocks.at(-1);
      if (type === 'text_delta') block.text += delta.text;
      if (type === 'thinking_delta') block.thinking += delta.thinking;
      if (type === 'signature_delta') block.signature = delta.signature;
      if (type === 'input_json_delta') block.json += delta.partial_json;
      if (type === 'citations_delta') (block.citations ??= []).push(delta.citation);
    }
  }
  expect(open).toBeUndefined();
  return blocks.map(({ json, ...block }) =>
    json === '' ? block : { ...block, input: JSON.parse(json) as unknown },
  ) as NeutralBlock[];
};

/** Members that are there or not, or anything else in their place. */
const odd = (members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> =>
  fc.oneof({ arbitrary: fc.record(members, { requiredKeys: [] }), weight: 5 }, fc.jsonValue());
const parts = {
  text: fc.jsonValue(),
  citation: odd({ location: odd({ web: fc.jsonValue() }), sourceContent: fc.jsonValue() }),
  reasoningContent: odd({ text: fc.jsonValue(), redactedContent: fc.jsonValue() }),
  image: odd({ source: odd({ bytes: fc.jsonValue() }) }),
};

const start: [string, object] = ['messageStart', { role: 'assistant', p: 'abc' }];
const stop = (stopReason: string): [string, object] => ['messageStop', { stopReason }];
const delta = (contentBlockIndex: number, value: object): [string, object] => [
  'contentBlockDelta',
  { contentBlockIndex, delta: value },
];
const ended = (contentBlockIndex: number): [string, object] => [
  'contentBlockStop',
  { contentBlockIndex },
];
const calling = (contentBlockIndex: number, toolUse: object): [string, object] => [
  'contentBlockStart',
  { contentBlockIndex, start: { toolUse } },
];
const usage = { inputTokens: 3, outputTokens: 4, totalTokens: 7 };

describe('converse answer, whole', () => {
  it('becomes a message with the counts of Anthropic', () => {
    const { result, usage: counted } = decode(
      answer([{ text: 'Hi' }], {
        usage: {
          inputTokens: 3,
          outputTokens: 121,
          cacheReadInputTokens: 1712,
          cacheWriteInputTokens: 236,
          cacheDetails: [
            { inputTokens: 200, ttl: '1h' },
            { inputTokens: 36, ttl: '5m' },
          ],
        },
      }),
    );
    expect(result).toEqual({
      id: 'msg_abcdefghijklmnopqrstuvwx',
      type: 'message',
      role: 'assistant',
      model: `bedrock/${NOVA}`,
      content: [{ type: 'text', text: 'Hi' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: {
        input_tokens: 3,
        output_tokens: 121,
        cache_read_input_tokens: 1712,
        cache_creation_input_tokens: 236,
        cache_creation: { ephemeral_5m_input_tokens: 36, ephemeral_1h_input_tokens: 200 },
      },
    });
    expect(counted).toMatchObject({ cacheWriteTokens: 36, cacheWrite1hTokens: 200 });
  });

  it.each([
    ['end_turn', 'end_turn'],
    ['max_tokens', 'max_tokens'],
    ['model_context_window_exceeded', 'max_tokens'],
    ['guardrail_intervened', null],
    ['content_filtered', null],
    ['malformed_tool_use', null],
    [undefined, null],
  ])('ends for %s as %s', (stopReason, expected) => {
    expect(decode(answer([], { stopReason })).result.stop_reason).toBe(expected);
  });

  it('names the stop sequence that was met as far as it is known', () => {
    const met = (stop_sequences: string[], more: object = {}) =>
      decode(answer([], { stopReason: 'stop_sequence', ...more }), context({ stop_sequences }))
        .result.stop_sequence;
    expect(met(['END'])).toBe('END');
    expect(met(['END', 'X'])).toBeNull();
    const additionalModelResponseFields = { stop_sequence: 'X' };
    expect(met(['END', 'X'], { additionalModelResponseFields })).toBe('X');
  });

  it("calls tools by the caller's names, under ids that are there once", () => {
    const call = context({ tools: [{ name: 'mcp.é/f', input_schema: {} }] });
    const toolUse = { toolUseId: 't1', name: wireToolName('mcp.é/f'), input: { a: 1 } };
    const { result } = decode(
      answer([{ toolUse }, { toolUse }, { toolUse: { name: 'g' } }], { stopReason: 'end_turn' }),
      call,
    );
    expect(result.content).toMatchObject([
      { type: 'tool_use', id: 't1', name: 'mcp.é/f', input: { a: 1 } },
      { type: 'tool_use', name: 'mcp.é/f' },
      { type: 'tool_use', name: 'g', input: {} },
    ]);
    expect(new Set(result.content.map(({ id }) => id)).size).toBe(3);
    // Agents wait for `tool_use`, also where the model said that its turn was over.
    expect(result.stop_reason).toBe('tool_use');
  });

  it('marks thinking that only its model can prove, and leaves a Claude’s as it is', () => {
    const content = [
      { reasoningContent: { reasoningText: { text: 'T', signature: 's' } } },
      { reasoningContent: { reasoningText: { text: 'U' } } },
      { reasoningContent: { redactedContent: Buffer.from('EuYB').toString('base64') } },
    ];
    expect(contentOf(content)).toEqual([
      { type: 'thinking', thinking: 'T', signature: marked('converse', 's') },
      { type: 'thinking', thinking: 'U', signature: '' },
      { type: 'redacted_thinking', data: marked('converse', 'RXVZQg==') },
    ]);
    expect(contentOf(content, context({}, CLAUDE))).toEqual([
      { type: 'thinking', thinking: 'T', signature: 's' },
      { type: 'thinking', thinking: 'U', signature: '' },
      { type: 'redacted_thinking', data: 'EuYB' },
    ]);
  });

  it('keeps cited text, with its sources in the words of Anthropic', () => {
    const cite = (location: object, more: object = {}) => ({
      location,
      title: 'T',
      sourceContent: [{ text: 'quo' }, { text: 'ted' }],
      ...more,
    });
    const citations = [
      cite({ documentChar: { documentIndex: 1, start: 2, end: 3 } }),
      cite({ documentPage: { documentIndex: 0, start: 1, end: 2 } }),
      cite({ documentChunk: { documentIndex: 0, start: 0, end: 1 } }),
      cite({ searchResultLocation: { searchResultIndex: 0, start: 0, end: 1 } }, { source: 'S' }),
      { location: { web: { url: 'https://a.example/', domain: 'a.example' } } },
      cite({ something: {} }),
    ];
    const shown = { cited_text: 'quoted' };
    const place = { ...shown, document_index: 0, document_title: 'T' };
    expect(
      contentOf([{ citationsContent: { content: [{ text: 'a' }, { text: 'b' }], citations } }]),
    ).toEqual([
      {
        type: 'text',
        text: 'ab',
        citations: [
          {
            ...place,
            type: 'char_location',
            document_index: 1,
            start_char_index: 2,
            end_char_index: 3,
          },
          { ...place, type: 'page_location', start_page_number: 1, end_page_number: 2 },
          { ...place, type: 'content_block_location', start_block_index: 0, end_block_index: 1 },
          {
            ...shown,
            type: 'search_result_location',
            search_result_index: 0,
            source: 'S',
            title: 'T',
            start_block_index: 0,
            end_block_index: 1,
          },
          {
            type: 'web_search_result_location',
            cited_text: '',
            url: 'https://a.example/',
            title: 'a.example',
            encrypted_index: '',
          },
        ],
      },
    ]);
  });

  it('keeps an image that the model made, and leaves out nothing said around it', () => {
    const image = { format: 'png', source: { bytes: 'AAAA' } };
    expect(contentOf([{ text: '' }, { text: 'a' }, { image }, {}])).toEqual([
      { type: 'text', text: 'a' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
    ]);
  });

  it.each([
    [null],
    [[]],
    ['x'],
    [{}],
    [{ output: {} }],
    [{ output: { message: null } }],
    [{ message: 'no' }],
  ])('is broken when it is %j', (body) => {
    expect(() => decode(body)).toThrow(expect.objectContaining({ status: 502 }));
  });

  it('survives content of any shape', () => {
    const reasoningText = odd({ text: fc.jsonValue(), signature: fc.jsonValue() });
    const block = odd({
      ...parts,
      toolUse: odd({ name: fc.jsonValue(), input: fc.jsonValue(), toolUseId: fc.jsonValue() }),
      reasoningContent: odd({ reasoningText, redactedContent: fc.jsonValue() }),
      citationsContent: odd({ content: fc.jsonValue(), citations: fc.jsonValue() }),
    });
    fc.assert(
      fc.property(fc.array(block), (content) => {
        try {
          decode(answer(content as object[]));
        } catch (error) {
          expect(error).toMatchObject({ status: 502 });
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    [undefined],
    [{}],
    [{ inputTokens: 3 }],
    [{ inputTokens: -1, outputTokens: 2 }],
    [{ inputTokens: 1e300, outputTokens: 2 }],
  ])('reports no usage for %j', (wire) => {
    const { result, usage: counted } = decode(answer([], { usage: wire }));
    expect(counted).toBeUndefined();
    expect(result.usage).toBeUndefined();
  });
});

describe('converse answer, streamed', () => {
  it('opens blocks with their first piece and ends with the exact counts', async () => {
    const { seen, error } = await collect([
      start,
      delta(0, { reasoningContent: { text: 'hm' } }),
      delta(0, { reasoningContent: { signature: 's' } }),
      ended(0),
      delta(1, { text: '' }),
      delta(1, { text: 'He' }),
      delta(1, { text: 'llo' }),
      ended(1),
      calling(2, { toolUseId: 't1', name: 'f' }),
      delta(2, { toolUse: { input: '{"a":' } }),
      delta(2, { toolUse: { input: '1}' } }),
      ended(2),
      stop('tool_use'),
      ['metadata', { usage, metrics: { latencyMs: 1 } }],
    ]);
    expect(error).toBeUndefined();
    expect(seen[0]).toMatchObject({
      type: 'message_start',
      message: { model: `bedrock/${NOVA}`, content: [], usage: { input_tokens: 11 } },
    });
    expect(assembled(seen)).toEqual([
      { type: 'thinking', thinking: 'hm', signature: marked('converse', 's') },
      { type: 'text', text: 'Hello' },
      { type: 'tool_use', id: 't1', name: 'f', input: { a: 1 } },
    ]);
    expect(seen.slice(-2)).toEqual([
      {
        type: 'message_delta',
        delta: { stop_reason: 'tool_use', stop_sequence: null },
        usage: {
          input_tokens: 3,
          output_tokens: 4,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: 0,
        },
      },
      { type: 'message_stop' },
    ]);
  });

  it('has one block open at a time, whatever the provider mixes or forgets', async () => {
    const { seen } = await collect([
      start,
      calling(0, { toolUseId: 't1', name: 'f' }),
      calling(1, { toolUseId: 't2', name: 'g' }),
      delta(1, { toolUse: { input: '{"b":2}' } }),
      delta(0, { toolUse: { input: '{"a":1}' } }),
      ended(1),
      delta(2, { text: 'x' }),
      delta(2, { reasoningContent: { redactedContent: 'AAEC' } }),
      stop('end_turn'),
    ]);
    expect(assembled(seen)).toEqual([
      { type: 'tool_use', id: 't1', name: 'f', input: { a: 1 } },
      { type: 'tool_use', id: 't2', name: 'g', input: { b: 2 } },
      { type: 'text', text: 'x' },
      { type: 'redacted_thinking', data: marked('converse', 'AAEC') },
    ]);
    expect(seen.at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use' } });
    expect(seen.at(-2).usage).toBeUndefined();
  });

  it('keeps citations and images, and leaves out results of tools that AWS runs', async () => {
    const citation = { location: { web: { url: 'u', domain: 'd' } } };
    const { seen } = await collect([
      start,
      calling(0, { toolUseId: 's1', name: 'nova_grounding', type: 'server_tool_use' }),
      delta(0, { toolUse: { input: '{}' } }),
      ended(0),
      ['contentBlockStart', { contentBlockIndex: 1, start: { toolResult: { toolUseId: 's1' } } }],
      delta(1, { toolResult: [{ text: '[HIDDEN]' }] }),
      ended(1),
      delta(2, { text: 'It is so.' }),
      delta(2, { citation }),
      ended(2),
      ['contentBlockStart', { contentBlockIndex: 3, start: { image: { format: 'webp' } } }],
      delta(3, { image: { source: { bytes: 'AAAA' } } }),
      ended(3),
      stop('end_turn'),
    ]);
    expect(assembled(seen)).toMatchObject([
      { type: 'server_tool_use', name: 'nova_grounding' },
      { type: 'text', text: 'It is so.', citations: [{ url: 'u' }] },
      { type: 'image', source: { media_type: 'image/webp', data: 'AAAA' } },
    ]);
    expect(seen.at(-2)).toMatchObject({ delta: { stop_reason: 'end_turn' } });
  });

  it.each([
    ['throttlingException', { message: 'slow down' }, 'rate_limit_error'],
    ['validationException', { message: 'slow down' }, 'invalid_request_error'],
    ['serviceUnavailableException', { message: 'slow down' }, 'overloaded_error'],
    ['modelTimeoutException', { message: 'slow down' }, 'timeout_error'],
    ['modelStreamErrorException', { message: 'slow down', originalStatusCode: 500 }, 'api_error'],
    ['somethingNewException', { Message: 'x' }, 'api_error'],
    ['internalServerException', 'no JSON', 'api_error'],
    ['error', { code: 'InternalError', message: 'slow down' }, 'api_error'],
  ])('tells of %s', async (name, payload, type) => {
    const { seen, error } = await collect([start, delta(0, { text: 'a' }), [name, payload]]);
    expect(error).toBeUndefined();
    expect(seen.at(-1)).toMatchObject({ type: 'error', error: { type } });
    expect(typeof seen.at(-1).error.message).toBe('string');
    const alone = await collect([[name, payload]]);
    expect(alone.seen.map(({ type: first }) => first as string)).toEqual(['error']);
  });

  it('does not take a broken stream for a whole one', async () => {
    const cut = await collect([start, delta(0, { text: 'a' })]);
    expect(cut.error?.status).toBe(502);
    expect(cut.seen.at(-1)?.type).toBe('content_block_delta');
    for (const broken of ['[]', 'null', '{', '7']) {
      expect((await collect([start, ['contentBlockDelta', broken]])).error?.status).toBe(502);
    }
    const nameless = await collect([start, delta(0, { toolUse: { input: '{}' } })]);
    expect(nameless.error?.status).toBe(502);
  });

  it('is whole with its last event, however the connection ends', async () => {
    const broken = (async function* (): AsyncGenerator<ServerEvent> {
      yield { name: 'messageStart', data: '{"role":"assistant"}' };
      yield { name: 'contentBlockDelta', data: '{"contentBlockIndex":0,"delta":{"text":"Hi"}}' };
      yield { name: 'messageStop', data: '{"stopReason":"end_turn"}' };
      yield { name: 'metadata', data: '{"usage":{"inputTokens":3,"outputTokens":4}}' };
      await Promise.reject(new Error('the connection broke'));
    })();
    const names: unknown[] = [];
    for await (const { name } of converseCodec.decodeStream!(broken, context())) names.push(name);
    expect(names.slice(-2)).toEqual(['message_delta', 'message_stop']);
  });

  it('survives payloads of any shape', async () => {
    const name = fc.constantFrom('contentBlockStart', 'contentBlockDelta', 'metadata', 'new');
    const payload = odd({
      contentBlockIndex: fc.jsonValue(),
      start: odd({ toolUse: odd({ name: fc.jsonValue() }), image: fc.jsonValue() }),
      delta: odd({ ...parts, toolUse: odd({ input: fc.jsonValue() }) }),
      usage: odd({ inputTokens: fc.jsonValue(), cacheDetails: fc.jsonValue() }),
    });
    // An index that cannot be made a text of.
    const image = { source: { bytes: 'x' } };
    const withoutText = { contentBlockIndex: { toString: {} }, delta: { image } };
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, payload), { maxLength: 5 }), async (events) => {
        const { error } = await collect([start, ...(events as []), stop('end_turn')]);
        expect(error === undefined || error.status === 502).toBe(true);
      }),
      { numRuns: 500, examples: [[[['contentBlockDelta', withoutText]]]] },
    );
  });
});

describe('converse, there and back', () => {
  const word = fc.string({ minLength: 1, unit: 'grapheme' });
  const signed = (signature: string) => marked('converse', signature);
  const block = fc.oneof(
    // Blank texts are refused there and stay behind.
    fc.record({ type: fc.constant('text'), text: word.filter((text) => text.trim() !== '') }),
    fc.record({ type: fc.constant('thinking'), thinking: word, signature: word.map(signed) }),
    fc.record({ type: fc.constant('redacted_thinking'), data: word.map(signed) }),
    fc.record({
      type: fc.constant('tool_use'),
      id: fc.uuid(),
      name: word,
      input: fc.dictionary(word, fc.jsonValue()),
    }),
  );
  const turn = fc.uniqueArray(block, {
    minLength: 1,
    maxLength: 6,
    selector: (one) => ('id' in one ? one.id : {}),
  });

  it('gives the blocks of an assistant turn back as they were', () => {
    fc.assert(
      fc.property(turn, (content) => {
        const names = content.flatMap((one) => ('name' in one ? [one.name] : []));
        const tools = ['any', ...names].map((name) => ({ name, input_schema: {} }));
        const call = context({ messages: [{ role: 'assistant', content }], tools });
        const [sent] = converseCodec.encode(call);
        const { messages } = (sent!.body as { json: { messages: { content: object[] }[] } }).json;
        const expected = JSON.parse(JSON.stringify(content)) as NeutralMessage['content'];
        expect(contentOf(messages[0]!.content, call)).toEqual(expected);
      }),
    );
  });
});
