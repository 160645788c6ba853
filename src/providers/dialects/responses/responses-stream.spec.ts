import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { RECORDED_FOLDER } from '../../../../test/support/recorded-corpus.js';
import { assembled, eventsOf, waysOf } from '../../../../test/support/translation.js';
import { type NeutralBlock } from '../../../contract/neutral.js';
import { sseFrames } from '../../../upstream/sse-frames.js';
import { type ServerEvent } from '../../provider.js';
import { marked } from '../proof-marks.js';
import { responsesCodec } from './responses-codec.js';

type Wire = Record<string, any>;

const { decoded, streamed } = waysOf(responsesCodec);

const usage = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 },
  output_tokens: 9,
  output_tokens_details: { reasoning_tokens: 4 },
};
const reasoning = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [
    { type: 'summary_text', text: 'First.' },
    { type: 'summary_text', text: 'Then.' },
  ],
  encrypted_content: 'secret',
};
const message = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  content: [
    {
      type: 'output_text',
      text: 'It is so.',
      annotations: [
        { type: 'url_citation', url: 'https://x.test', title: 'X', start_index: 0, end_index: 5 },
        { type: 'file_citation', file_id: 'f' },
      ],
    },
  ],
};
const called = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'now',
  arguments: '{"a":1}',
};
const response = (output: (object | null)[], more: object = {}) => ({
  object: 'response',
  status: 'completed',
  error: null,
  output,
  usage,
  ...more,
});
const content = [
  {
    type: 'thinking',
    thinking: 'First.\n\nThen.',
    signature: marked('vendor', 'secret'),
  },
  {
    type: 'text',
    text: 'It is so.',
    citations: [
      {
        type: 'web_search_result_location',
        cited_text: 'It is',
        url: 'https://x.test',
        title: 'X',
        encrypted_index: '',
      },
    ],
  },
  { type: 'tool_use', id: 'call_1', name: 'now', input: { a: 1 } },
];

describe('responses answer', () => {
  it('reads reasoning, text with its citations and calls, and every count once', () => {
    const { result, usage: counted } = decoded(response([reasoning, message, called]));
    expect(result).toMatchObject({
      content,
      stop_reason: 'tool_use',
      usage: {
        input_tokens: 30,
        cache_read_input_tokens: 60,
        cache_creation_input_tokens: 10,
        output_tokens: 9,
      },
    });
    expect(counted).toMatchObject({
      inputTokens: 30,
      cacheReadTokens: 60,
      cacheWriteTokens: 10,
      outputTokens: 9,
    });
  });

  it('marks what Azure encrypted as Azure’s, whole or streamed', async () => {
    const request = { model: 'azure-openai/gpt-5' };
    const signature = marked('azure-openai', 'secret');
    expect(decoded(response([reasoning]), request).result.content).toMatchObject([{ signature }]);
    const item = { type: 'response.output_item.done', output_index: 0, item: reasoning };
    const end = { type: 'response.completed', response: response([reasoning]) };
    const message = await assembled(streamed(eventsOf(item, end), request));
    expect(message.content).toMatchObject([{ signature }]);
  });

  it('keeps reasoning that is not shown, and leaves out what says nothing', () => {
    const items = [
      { ...reasoning, summary: [] },
      { type: 'reasoning', id: 'rs_2', summary: [] },
      { type: 'reasoning', id: 'rs_3', content: [{ type: 'reasoning_text', text: 'raw' }] },
      { type: 'web_search_call', id: 'ws_1', status: 'completed' },
      { type: 'message', content: [{ type: 'refusal', refusal: 'No.' }] },
      null,
    ];
    expect(decoded(response(items)).result.content).toEqual([
      { type: 'redacted_thinking', data: marked('vendor', 'secret') },
      { type: 'thinking', thinking: 'raw', signature: '' },
      { type: 'text', text: 'No.' },
    ]);
  });

  it('shows a picture that was drawn', () => {
    const item = { type: 'image_generation_call', result: 'QQ==', output_format: 'webp' };
    expect(decoded(response([item])).result.content).toEqual([
      { type: 'image', source: { type: 'base64', media_type: 'image/webp', data: 'QQ==' } },
    ]);
  });

  it.each([
    [{ status: 'completed' }, 'end_turn'],
    [{ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }, 'max_tokens'],
    [{ status: 'incomplete', incomplete_details: { reason: 'content_filter' } }, null],
  ])('knows why it ended: %j', (ending, stop_reason) => {
    expect(decoded(response([message], ending)).result.stop_reason).toBe(stop_reason);
  });

  it('tells what OpenAI’s tools did where there is no usage', () => {
    const search = { type: 'web_search_call', action: { type: 'search' } };
    expect(decoded(response([search])).tools).toBeUndefined();
    const { usage: counted, tools } = decoded(response([search], { usage: null }));
    expect([counted, tools?.webSearches]).toEqual([undefined, 1]);
  });

  it('keeps arguments that were cut off', () => {
    const cut = { ...called, arguments: '{"a":' };
    expect(decoded(response([cut])).result.content).toMatchObject([
      { input: { INVALID_JSON: '{"a":' } },
    ]);
  });

  it.each([
    'nonsense',
    '{}',
    'null',
    '{"output":null}',
    '{"status":"failed","output":[],"error":{"message":"boom"}}',
  ])('is broken when it is %s', (body) => {
    expect(() => decoded(body)).toThrow(expect.objectContaining({ status: 502 }));
  });
});

const added = (output_index: number, item: object) => ({
  type: 'response.output_item.added',
  output_index,
  item,
});
const done = (output_index: number, item: object) => ({
  type: 'response.output_item.done',
  output_index,
  item,
});
const delta = (type: string, output_index: number, text: string, more: object = {}) => ({
  type: `response.${type}.delta`,
  output_index,
  delta: text,
  ...more,
});
const completed = (output: object[], more: object = {}) => ({
  type: 'response.completed',
  response: response(output, more),
});
const pieces = [
  { type: 'response.created', response: { status: 'in_progress' } },
  { type: 'response.in_progress', response: { status: 'in_progress' } },
  added(0, { type: 'reasoning', id: 'rs_1', summary: [] }),
  { type: 'response.reasoning_summary_part.added', output_index: 0, summary_index: 0 },
  delta('reasoning_summary_text', 0, 'Fir', { summary_index: 0 }),
  delta('reasoning_summary_text', 0, 'st.', { summary_index: 0 }),
  delta('reasoning_summary_text', 0, 'Then.', { summary_index: 1 }),
  done(0, reasoning),
  added(1, { type: 'message', id: 'msg_1', content: [] }),
  delta('output_text', 1, 'It is', { content_index: 0 }),
  delta('output_text', 1, ' so.', { content_index: 0 }),
  {
    type: 'response.output_text.annotation.added',
    output_index: 1,
    content_index: 0,
    annotation: message.content[0]!.annotations[0],
  },
  { type: 'response.output_text.done', output_index: 1, content_index: 0, text: 'It is so.' },
  done(1, message),
  added(2, { ...called, arguments: '' }),
  delta('function_call_arguments', 2, '{"a":'),
  delta('function_call_arguments', 2, '1}'),
  done(2, called),
  completed([reasoning, message, called]),
];
const whole = decoded(response([reasoning, message, called])).result;

describe('responses stream', () => {
  it('gives the message of the whole answer', async () => {
    const { content: blocks, ...rest } = await assembled(streamed(eventsOf(...pieces)));
    expect(blocks).toEqual(content);
    expect(rest).toEqual({ stop_reason: 'tool_use', stop_sequence: null, usage: whole.usage });
  });

  it('gives the same however the bytes arrive, with or without the names of the events', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 300 }), fc.boolean(), async (size, isNamed) => {
        const text = pieces
          .map(
            (event) => `${isNamed ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}`,
          )
          .join('\n\n');
        const { content: blocks } = await assembled(
          streamed(cut(Buffer.from(`${text}\n\n`), size)),
        );
        expect(blocks).toEqual(content);
      }),
      { numRuns: 30 },
    );
  });

  it('understands servers that send items whole, or only at the end', async () => {
    const items = [done(0, reasoning), done(1, message), done(2, called)];
    for (const events of [items, []]) {
      const stream = eventsOf(...events, completed([reasoning, message, called]), '[DONE]');
      expect((await assembled(streamed(stream))).content).toEqual(content);
    }
  });

  it('keeps calls apart whose arguments come mixed', async () => {
    const other = { ...called, call_id: 'call_2', arguments: '{"b":2}' };
    const stream = eventsOf(
      added(0, { ...called, arguments: '' }),
      added(1, { ...other, arguments: '' }),
      delta('function_call_arguments', 1, '{"b":'),
      delta('function_call_arguments', 0, '{"a":1}'),
      delta('function_call_arguments', 1, '2}'),
      done(1, other),
      done(0, called),
      completed([called, other]),
    );
    expect((await assembled(streamed(stream))).content).toMatchObject([
      { id: 'call_1', input: { a: 1 } },
      { id: 'call_2', input: { b: 2 } },
    ]);
  });

  it('gives reasoning that is not shown as what cannot be read', async () => {
    const hidden = { ...reasoning, summary: [] };
    const stream = eventsOf(added(0, hidden), done(0, hidden), completed([hidden]));
    expect((await assembled(streamed(stream))).content).toEqual([
      { type: 'redacted_thinking', data: marked('vendor', 'secret') },
    ]);
  });

  it.each([
    [{ type: 'error', code: 'server_error', message: 'boom' }, 'api_error'],
    [
      { type: 'error', error: { code: 'rate_limit_exceeded', message: 'boom' } },
      'rate_limit_error',
    ],
    [
      { type: 'response.failed', response: { error: { code: 'server_error', message: 'boom' } } },
      'api_error',
    ],
  ])('tells the error %j', async (failure, type) => {
    const seen: Wire[] = [];
    for await (const { data } of streamed(eventsOf(pieces[0]!, failure)))
      seen.push(JSON.parse(data));
    expect(seen.at(-1)).toEqual({ type: 'error', error: { type, message: 'boom' } });
  });

  it.each<[string, (object | string)[]]>([
    ['breaks off', pieces.slice(0, 9)],
    ['ends with [DONE] alone', [pieces[0]!, '[DONE]']],
    ['is no JSON', ['{"type":']],
    ['calls a tool without a name', [added(0, { type: 'function_call', call_id: 'c' })]],
  ])('is broken when it %s', async (_, events) => {
    await expect(assembled(streamed(eventsOf(...events)))).rejects.toMatchObject({ status: 502 });
  });
});

async function* cut(bytes: Buffer, size: number): AsyncGenerator<ServerEvent> {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) parts.push(bytes.subarray(at, at + size));
  for await (const events of sseFrames(Readable.from(parts))) yield* events;
}

interface Recorded {
  readonly id: string;
  readonly response: { readonly sse?: readonly string[] };
}

/** OpenAI encrypts the same reasoning anew in each event. */
const unproved = ({ signature, data, ...block }: NeutralBlock) => ({
  ...block,
  isProved: Boolean(signature ?? data),
});
const withCorpus = existsSync(RECORDED_FOLDER) ? describe : describe.skip;

withCorpus('responses stream: recorded answers (skipped without ../shared)', () => {
  const streams = globSync(join(RECORDED_FOLDER, '*', 'responses', '*.json'))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')) as Recorded)
    .filter(({ response: { sse } }) => sse);

  it('gives what the last event says', async () => {
    expect(streams.length).toBeGreaterThan(0);
    for (const { id, response: recorded } of streams) {
      const lines = recorded.sse ?? [];
      const last = lines
        .filter((line) => line.startsWith('data: {'))
        .map((line) => JSON.parse(line.slice(6)) as Wire)
        .findLast(({ type }) => /\.(completed|incomplete)$/.test(type));
      const { result } = decoded(last?.response);
      const message = await assembled(streamed(cut(Buffer.from(`${lines.join('\n')}\n\n`), 7)));
      expect({ id, ...message, content: message.content.map(unproved) }).toEqual({
        id,
        content: result.content.map(unproved),
        stop_reason: result.stop_reason,
        stop_sequence: null,
        usage: result.usage,
      });
    }
  });
});
