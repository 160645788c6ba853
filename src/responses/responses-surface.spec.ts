import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type NeutralBlock, type NeutralMessage } from '../contract/neutral.js';
import { NO_USAGE } from '../contract/usage.js';
import { type SurfaceCall } from '../dispatch/surface.js';
import { readRequest } from './read-request.js';
import { responsesSurface } from './responses-surface.js';

const tools = [
  { type: 'function', name: 'f', parameters: {} },
  { type: 'custom', name: 'patch' },
  { type: 'local_shell' },
  { type: 'namespace', name: 'ns', tools: [{ type: 'function', name: 'g' }] },
];
const body = { model: 'a/b', input: 'Hi', tools };
const call = { id: 'req_1', created: 7, model: { id: 'a/b' }, body } as unknown as SurfaceCall;
const usage = {
  ...NO_USAGE,
  inputTokens: 10,
  cacheReadTokens: 3,
  cacheWriteTokens: 2,
  outputTokens: 5,
};

function message(
  content: readonly NeutralBlock[],
  stop: string | null = 'end_turn',
): NeutralMessage {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'a/b',
    content,
    stop_reason: stop,
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 5, output_tokens_details: { thinking_tokens: 4 } },
  };
}
const whole = (content: readonly NeutralBlock[], stop?: string | null): any =>
  responsesSurface.render(message(content, stop), usage, call);

const text = (said: string, more: object = {}) => ({ type: 'text', text: said, ...more });
const use = (name: string, input: object) => ({ type: 'tool_use', id: `c_${name}`, name, input });

describe('a whole response', () => {
  it('has everything that a client reads', () => {
    expect(whole([text('Hello')])).toEqual({
      id: 'resp_1',
      object: 'response',
      created_at: 7,
      status: 'completed',
      background: false,
      error: null,
      incomplete_details: null,
      instructions: null,
      max_output_tokens: null,
      max_tool_calls: null,
      metadata: {},
      model: 'a/b',
      output: [
        {
          id: 'msg_1_0',
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'Hello', annotations: [], logprobs: [] }],
        },
      ],
      parallel_tool_calls: true,
      previous_response_id: null,
      prompt_cache_key: null,
      reasoning: { effort: null, summary: null },
      safety_identifier: null,
      service_tier: 'default',
      store: false,
      temperature: 1,
      text: { format: { type: 'text' } },
      tool_choice: 'auto',
      tools,
      top_logprobs: 0,
      top_p: 1,
      truncation: 'disabled',
      usage: {
        input_tokens: 15,
        input_tokens_details: { cached_tokens: 3, cache_write_tokens: 2 },
        output_tokens: 5,
        output_tokens_details: { reasoning_tokens: 4 },
        total_tokens: 20,
      },
      user: null,
    });
  });

  it('gives each call back under the caller’s own names and in its own kind', () => {
    const { output } = whole(
      [
        use('f', { a: 1 }),
        use('patch', { input: '*** Begin' }),
        use('local_shell', { command: ['ls'], timeout_ms: 5 }),
        use('ns__g', {}),
        use('stranger', {}),
        use('f', { INVALID_JSON: '{"a":' }),
      ],
      'tool_use',
    );
    const status = 'completed';
    expect(output).toEqual([
      {
        id: 'fc_1_0',
        type: 'function_call',
        call_id: 'c_f',
        name: 'f',
        status,
        arguments: '{"a":1}',
      },
      {
        id: 'ctc_1_1',
        type: 'custom_tool_call',
        call_id: 'c_patch',
        name: 'patch',
        status,
        input: '*** Begin',
      },
      {
        id: 'lsh_1_2',
        type: 'local_shell_call',
        call_id: 'c_local_shell',
        status,
        action: { type: 'exec', command: ['ls'], timeout_ms: 5, env: {} },
      },
      {
        id: 'fc_1_3',
        type: 'function_call',
        call_id: 'c_ns__g',
        name: 'g',
        namespace: 'ns',
        status,
        arguments: '{}',
      },
      {
        id: 'fc_1_4',
        type: 'function_call',
        call_id: 'c_stranger',
        name: 'stranger',
        status,
        arguments: '{}',
      },
      {
        id: 'fc_1_5',
        type: 'function_call',
        call_id: 'c_f',
        name: 'f',
        status,
        arguments: '{"a":',
      },
    ]);
  });

  it('says which pages a text rests on', () => {
    const citations = [
      { type: 'web_search_result_location', url: 'https://a.example', title: 'A' },
      { type: 'search_result_location', source: 'https://b.example', title: null },
      { type: 'char_location', document_index: 0 },
    ];
    const { output } = whole([text('One. '), text('Two', { citations })]);
    const cited = { type: 'url_citation', start_index: 0, end_index: 3 };
    expect(output).toHaveLength(1);
    expect(output[0].content.map((part: any) => part.annotations)).toEqual([
      [],
      [
        { ...cited, url: 'https://a.example', title: 'A' },
        { ...cited, url: 'https://b.example', title: '' },
      ],
    ]);
  });

  it('gives a drawn image, and leaves out what ran at the provider', () => {
    const source = { type: 'base64', media_type: 'image/webp', data: 'AAAA' };
    const { output } = whole([
      { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
      { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
      { type: 'image', source },
    ]);
    expect(output).toEqual([
      {
        id: 'ig_1_0',
        type: 'image_generation_call',
        status: 'completed',
        output_format: 'webp',
        result: 'AAAA',
      },
    ]);
    expect(readRequest({ model: 'a/b', input: output }).messages).toEqual([
      { role: 'assistant', content: [{ type: 'image', source }] },
    ]);
  });

  it.each([
    ['max_tokens', 'x', 'incomplete', 'max_output_tokens'],
    ['model_context_window_exceeded', 'x', 'incomplete', 'max_output_tokens'],
    ['refusal', 'x', 'incomplete', 'content_filter'],
    [null, '', 'incomplete', 'content_filter'],
    [null, 'x', 'completed', undefined],
    ['end_turn', '', 'completed', undefined],
    ['stop_sequence', 'x', 'completed', undefined],
    ['pause_turn', 'x', 'completed', undefined],
  ])('ends by %s with %j as %s', (stop, said, status, reason) => {
    const response = whole([text(said)], stop);
    expect([response.status, response.incomplete_details?.reason]).toEqual([status, reason]);
    expect(response.output.map((item: any) => item.status)).toEqual(said === '' ? [] : [status]);
  });
});

const words = fc.string({ minLength: 1, unit: 'grapheme' });
const signature = fc.string({ unit: fc.constantFrom(...'abcXYZ012+/=.') });
const block: fc.Arbitrary<NeutralBlock> = fc.oneof(
  words.map((said) => text(said)),
  fc.record({ type: fc.constant('thinking'), thinking: words, signature }),
  fc.record({ type: fc.constant('redacted_thinking'), data: signature }),
  fc.record({
    type: fc.constant('tool_use'),
    name: fc.constantFrom('f', 'ns__g', 'gone'),
    input: fc.dictionary(words, fc.jsonValue(), { noNullPrototype: true }),
  }),
  fc.record({
    type: fc.constant('tool_use'),
    name: fc.constant('patch'),
    input: fc.record({ input: fc.string({ unit: 'grapheme' }) }, { noNullPrototype: true }),
  }),
);
const blocks = fc
  .array(block, { minLength: 1, maxLength: 6 })
  .map((list) =>
    list.map((each, index) => (each.type === 'tool_use' ? { ...each, id: `c${index}` } : each)),
  )
  // What comes back as a JSON number may be another one: -0 has no text of its own.
  .map((list) => JSON.parse(JSON.stringify(list)) as NeutralBlock[]);

/** The text in pieces of this many units. */
function pieces(whole: string, size: number): string[] {
  const count = Math.ceil(whole.length / size);
  return Array.from({ length: count }, (_, at) => whole.slice(at * size, (at + 1) * size));
}

function eventsOf(content: readonly NeutralBlock[], size: number, stop: string): object[] {
  const inside = content.flatMap((each, index) => {
    const deltas = deltasOf(each, size).map((delta) => ({
      type: 'content_block_delta',
      index,
      delta,
    }));
    const { type, id, name, data } = each;
    const bare: Record<string, object> = {
      text: { type, text: '' },
      thinking: { type, thinking: '', signature: '' },
      redacted_thinking: { type, data },
      tool_use: { type, id, name, input: {} },
    };
    return [
      { type: 'content_block_start', index, content_block: bare[type] },
      { type: 'ping' },
      ...deltas,
      { type: 'content_block_stop', index },
    ];
  });
  return [
    { type: 'message_start', message: message([]) },
    ...inside,
    { type: 'message_delta', delta: { stop_reason: stop }, usage: message([]).usage },
    { type: 'message_stop' },
  ];
}

function deltasOf(
  { type, text: said, thinking, signature: proof, input }: NeutralBlock,
  size: number,
) {
  if (type === 'text') {
    return pieces(said as string, size).map((piece) => ({ type: 'text_delta', text: piece }));
  }
  if (type === 'thinking') {
    const thought = pieces(thinking as string, size);
    return [
      ...thought.map((piece) => ({ type: 'thinking_delta', thinking: piece })),
      { type: 'signature_delta', signature: proof },
    ];
  }
  if (type !== 'tool_use') return [];
  const written = pieces(JSON.stringify(input), size);
  return written.map((piece) => ({ type: 'input_json_delta', partial_json: piece }));
}

function written(events: readonly object[]): any[] {
  const writer = responsesSurface.writer!(call);
  const chunks = events.map((event) =>
    writer.write({ name: undefined, data: JSON.stringify(event) }),
  );
  const last = writer.closing({ cost: '0.5', provider: 'a', usage });
  return framesOf(Buffer.concat([...chunks.filter((chunk) => chunk !== undefined), last]));
}

function framesOf(bytes: Buffer): any[] {
  return bytes
    .toString()
    .split('\n\n')
    .slice(0, -1)
    .map((frame) => {
      const [, name, data] = /^event: (.+?)\ndata: (.+)$/s.exec(frame)!;
      const event = JSON.parse(data!);
      expect(event.type).toBe(name);
      return event;
    });
}

describe('a streamed response', () => {
  it('ends as the whole one, however the pieces are cut', () => {
    fc.assert(
      fc.property(
        blocks,
        fc.integer({ min: 1, max: 30 }),
        fc.constantFrom('end_turn', 'tool_use', 'max_tokens'),
        (content, size, stop) => {
          const events = written(eventsOf(content, size, stop));
          expect(events.map((event) => event.sequence_number)).toEqual([...events.keys()]);
          const response = { ...whole(content, stop), cost: 0.5, provider: 'a' };
          expect(events.at(-1)).toMatchObject({ type: `response.${response.status}`, response });
          const done = events.filter(({ type }) => type === 'response.output_item.done');
          expect(done.map(({ item }) => item)).toEqual(response.output);
          expect(done.map((event) => event.output_index)).toEqual([...done.keys()]);
        },
      ),
    );
  });

  it('tells the same in its deltas as in its end', () => {
    fc.assert(
      fc.property(blocks, fc.integer({ min: 1, max: 30 }), (content, size) => {
        const events = written(eventsOf(content, size, 'end_turn'));
        const told = new Map<string, string>();
        for (const { type, delta, item_id: id, content_index: part } of events) {
          if (!type.endsWith('.delta')) continue;
          told.set(`${id} ${part}`, (told.get(`${id} ${part}`) ?? '') + delta);
        }
        for (const { type, item_id: id, content_index: part, ...end } of events) {
          if (!/(text|arguments|input)\.done$/.test(type)) continue;
          expect(told.get(`${id} ${part}`) ?? '').toBe(end.text ?? end.arguments ?? end.input);
        }
      }),
    );
  });

  it('tells of a call’s arguments as they come, and of those that came whole', () => {
    const start = (block: object) => ({ type: 'content_block_start', content_block: block });
    const events = written([
      { type: 'message_start' },
      start(use('f', { a: 1 })),
      { type: 'content_block_stop' },
      start(use('ns__g', {})),
      { type: 'content_block_stop' },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
    ]);
    const deltas = events.filter(({ type }) => type.endsWith('arguments.delta'));
    expect(deltas.map(({ delta }) => delta)).toEqual(['{"a":1}', '{}']);
  });

  it('marks the item in which it was cut off', () => {
    const events = written(eventsOf([text('a'), use('f', { b: 1 })], 3, 'max_tokens'));
    const { type, response } = events.at(-1);
    expect(type).toBe('response.incomplete');
    expect(response.output.map(({ status }: any) => status)).toEqual(['completed', 'incomplete']);
  });

  it('says why a model declined, behind what it had said', () => {
    const stop_details = { type: 'refusal', category: 'bio', explanation: 'Not this.' };
    const declined = { ...message([text('I')], 'refusal'), stop_details };
    const delta = { stop_reason: 'refusal', stop_details };
    const stopped = (event: object) =>
      'type' in event && event.type === 'message_delta' ? { ...event, delta } : event;
    const events = written(eventsOf([text('I')], 9, 'refusal').map(stopped));
    const refused = { type: 'refusal', refusal: 'Not this.' };
    const { output, ...response } = responsesSurface.render(declined, usage, call) as any;
    expect(response.incomplete_details).toEqual({ reason: 'content_filter' });
    expect(output).toMatchObject([{ status: 'incomplete', content: [{ text: 'I' }, refused] }]);
    expect(events.at(-1).response.output).toEqual(output);
    expect(events.filter(({ content_index: part }) => part === 1)).toMatchObject([
      { type: 'response.content_part.added', part: { ...refused, refusal: '' } },
      { type: 'response.refusal.delta', delta: 'Not this.' },
      { type: 'response.refusal.done', refusal: 'Not this.' },
      { type: 'response.content_part.done', part: refused },
    ]);
    const alone = responsesSurface.render({ ...declined, content: [] }, usage, call) as any;
    expect(alone.output).toMatchObject([{ type: 'message', content: [refused] }]);
  });

  it('ends in an error and a failed response where the provider breaks off', () => {
    const writer = responsesSurface.writer!(call);
    const write = (event: object) =>
      writer.write({ name: undefined, data: JSON.stringify(event) }) ?? Buffer.alloc(0);
    const error = { type: 'rate_limit_error', message: 'Slow down' };
    const events = framesOf(
      Buffer.concat([
        ...eventsOf([text('Hello')], 9, 'end_turn')
          .slice(0, 5)
          .map(write),
        write({ type: 'error', error }),
      ]),
    );
    const code = 'rate_limit_exceeded';
    expect(events.slice(-2)).toMatchObject([
      { type: 'error', code, message: 'Slow down', param: null, error: { code, type: code } },
      {
        type: 'response.failed',
        response: { id: 'resp_1', status: 'failed', error: { code, message: 'Slow down' } },
      },
    ]);
    expect(events.map((event) => event.sequence_number)).toEqual([...events.keys()]);
  });
});

describe('an answer that is sent back', () => {
  it('is the same turn again, with every proof', () => {
    fc.assert(
      fc.property(blocks, (content) => {
        const { output } = whole(content);
        const { messages } = readRequest({ ...body, input: output });
        expect(messages).toEqual([{ role: 'assistant', content }]);
      }),
    );
  });
});
