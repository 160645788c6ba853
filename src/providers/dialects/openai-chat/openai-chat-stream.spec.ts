import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { messagesCall } from '../../../../test/support/translation.js';
import { workedMs } from '../../../../test/support/worked-ms.js';
import { sseFrames } from '../../../upstream/sse-frames.js';
import { type ServerEvent } from '../../provider.js';
import { openaiChatCodec } from './openai-chat-codec.js';
import { wireToolName } from '../wire-names.js';

const context = (tools: { name: string }[] = []) =>
  messagesCall({ model: 'openai/gpt-x', tools, stream: true });

interface Block {
  type: string;
  id?: string;
  name?: string;
  text?: string;
  thinking?: string;
  json?: string;
}

interface Event {
  type: string;
  index: number;
  content_block: Block;
  delta: {
    text?: string;
    thinking?: string;
    partial_json?: string;
    stop_reason?: string | null;
  };
  usage?: Record<string, number>;
  error?: { type: string; message: string };
}

/** What came out before the stream ended, and the error that ended it. */
const collect = async (events: AsyncIterable<ServerEvent>, tools?: { name: string }[]) => {
  const seen: Event[] = [];
  try {
    for await (const { name, data } of openaiChatCodec.decodeStream!(events, context(tools))) {
      // What was reported on the way is no event of the message.
      if (data === '') continue;
      const event = JSON.parse(data) as Event;
      expect(event.type).toBe(name);
      seen.push(event);
    }
  } catch (error) {
    return { seen, error: error as { status?: number } };
  }
  return { seen, error: undefined };
};
const source = (...chunks: (object | string)[]): AsyncIterable<ServerEvent> =>
  Readable.from(
    chunks.map((chunk) => ({
      name: undefined,
      data: typeof chunk === 'string' ? chunk : JSON.stringify(chunk),
    })),
  );

/** The message that a client puts together; throws where the order of the events is not lawful. */
const assemble = (events: readonly Event[]) => {
  const content: Block[] = [];
  let open: number | undefined;
  let ending: Event | undefined;
  const rest = [...events];
  expect(rest.shift()?.type).toBe('message_start');
  for (const event of rest) {
    const block = content[event.index];
    switch (event.type) {
      case 'content_block_start':
        expect([open, event.index]).toEqual([undefined, content.length]);
        open = event.index;
        content.push({ ...event.content_block, json: '' });
        break;
      case 'content_block_delta':
        expect(event.index).toBe(open);
        if (event.delta.text) block!.text! += event.delta.text;
        else if (event.delta.thinking) block!.thinking! += event.delta.thinking;
        else block!.json! += event.delta.partial_json!;
        break;
      case 'content_block_stop':
        expect(event.index).toBe(open);
        open = undefined;
        break;
      default:
        expect(open).toBeUndefined();
        ending ??= event;
    }
  }
  expect(events.slice(-2).map(({ type }) => type)).toEqual(['message_delta', 'message_stop']);
  return { content, reason: ending?.delta.stop_reason, usage: ending?.usage };
};
const messageOf = async (...chunks: (object | string)[]) => {
  const { seen, error } = await collect(source(...chunks));
  if (error) throw error as unknown as Error;
  return assemble(seen);
};

const delta = (fields: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: fields, finish_reason }],
});
const piece = (index: number | undefined, args?: string, id?: string, name?: string) =>
  delta({ tool_calls: [{ index, id, function: { name, arguments: args } }] });
const stop = delta({}, 'stop');

describe('openai chat stream', () => {
  it('gives the events of a text in their exact form', async () => {
    const { seen, error } = await collect(
      source(
        delta({ role: 'assistant', content: '' }),
        delta({ content: 'Hel' }),
        delta({ content: 'lo' }),
        stop,
        {
          choices: [],
          usage: {
            prompt_tokens: 100,
            completion_tokens: 5,
            prompt_tokens_details: { cached_tokens: 64 },
          },
        },
        '[DONE]',
      ),
    );
    expect(error).toBeUndefined();
    expect(seen).toEqual([
      {
        type: 'message_start',
        message: {
          id: 'msg_abcdefghijklmnopqrstuvwx',
          type: 'message',
          role: 'assistant',
          model: 'openai/gpt-x',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 11, output_tokens: 1 },
        },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hel' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'lo' } },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: {
          input_tokens: 36,
          output_tokens: 5,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: 64,
        },
      },
      { type: 'message_stop' },
    ]);
  });

  it('opens blocks for thinking, text and tools as they come, each empty at first', async () => {
    const { seen } = await collect(
      source(
        delta({ reasoning_content: 'hm' }),
        delta({ reasoning: '?' }),
        delta({ content: 'so' }),
        piece(0, '', 'c', 'f'),
        piece(0, '{}'),
        delta({}, 'tool_calls'),
      ),
    );
    const starts = seen.filter(({ type }) => type === 'content_block_start');
    expect(starts.map(({ content_block }) => content_block)).toEqual([
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'text', text: '' },
      { type: 'tool_use', id: 'c', name: 'f', input: {} },
    ]);
    expect(assemble(seen)).toMatchObject({
      content: [{ thinking: 'hm?' }, { text: 'so' }, { json: '{}' }],
      reason: 'tool_use',
    });
  });

  it('holds no piece back, also not of a call behind a finished one', async () => {
    const trace: string[] = [];
    const chunks = [
      delta({ content: 'a' }),
      piece(0, '{"x":', 'c1', 'f'),
      piece(0, '"}"}'),
      piece(1, '{"y', 'c2', 'g'),
      piece(1, '":2}'),
      stop,
    ];
    async function* traced() {
      for (const chunk of chunks) {
        trace.push('read');
        yield await Promise.resolve({ name: undefined, data: JSON.stringify(chunk) });
      }
    }
    for await (const { data } of openaiChatCodec.decodeStream!(traced(), context())) {
      const event = JSON.parse(data) as Event;
      if (event.type !== 'content_block_delta') continue;
      trace.push(event.delta.text ?? event.delta.partial_json ?? '');
    }
    const pieces = ['a', '{"x":', '"}"}', '{"y', '":2}'];
    expect(trace).toEqual([...pieces.flatMap((text) => ['read', text]), 'read']);
  });

  it('takes a refusal as text and makes no block of what is empty', async () => {
    const { content } = await messageOf(
      delta({ role: 'assistant', content: null, refusal: null, tool_calls: [] }),
      delta({ content: '' }),
      delta({ refusal: 'I ' }),
      delta({ refusal: 'cannot.' }),
      stop,
    );
    expect(content).toMatchObject([{ type: 'text', text: 'I cannot.' }]);
    expect((await messageOf(delta({ role: 'assistant' }), stop)).content).toEqual([]);
  });

  it.each([
    ['with the finish reason', [{ ...stop, usage: { prompt_tokens: 9, completion_tokens: 4 } }]],
    [
      'after it, without choices',
      [stop, { choices: [], usage: { prompt_tokens: 9, completion_tokens: 4 } }],
    ],
    [
      'after it, as null choices',
      [stop, { choices: null, usage: { prompt_tokens: 9, completion_tokens: 4 } }],
    ],
    [
      'where Groq keeps it',
      [stop, { choices: [], x_groq: { usage: { prompt_tokens: 9, completion_tokens: 4 } } }],
    ],
    [
      'inside the choice, where Moonshot keeps it',
      [
        {
          choices: [
            {
              index: 0,
              delta: {},
              finish_reason: 'stop',
              usage: { prompt_tokens: 9, completion_tokens: 4 },
            },
          ],
        },
      ],
    ],
    [
      'with each chunk as the count so far',
      [
        { ...delta({ content: 'a' }), usage: { prompt_tokens: 9, completion_tokens: 1 } },
        { ...delta({ content: 'b' }), usage: { prompt_tokens: 9, completion_tokens: 2 } },
        { ...stop, usage: { prompt_tokens: 9, completion_tokens: 4 } },
        { choices: [], usage: null },
      ],
    ],
  ])('reads usage that comes %s, and sums nothing', async (_where, chunks) => {
    const { usage } = await messageOf(delta({ content: 'x' }), ...chunks, '[DONE]');
    expect(usage).toMatchObject({ input_tokens: 9, output_tokens: 4 });
  });

  it('says nothing of usage when the provider said nothing', async () => {
    expect((await messageOf(delta({ content: 'x' }), stop)).usage).toBeUndefined();
  });

  it('is complete with a finish reason, also without [DONE], and stops reading at [DONE]', async () => {
    await expect(messageOf(stop)).resolves.toMatchObject({ reason: 'end_turn' });
    await expect(messageOf(stop, '[DONE]', 'not JSON')).resolves.toMatchObject({ content: [] });
  });

  it('is complete with [DONE] where something came and nobody said why it ended', async () => {
    const said = await messageOf(delta({ content: 'x' }), '[DONE]');
    expect(said).toMatchObject({ content: [{ text: 'x' }], reason: 'end_turn' });
    const called = await messageOf(piece(0, '{}', 'c', 'f'), '[DONE]');
    expect(called.reason).toBe('tool_use');
  });

  it('takes a whole answer that comes as one chunk', async () => {
    const message = {
      role: 'assistant',
      content: 'x',
      tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }],
    };
    const { content, reason } = await messageOf({
      choices: [{ index: 0, message, finish_reason: 'stop' }],
    });
    expect(content).toMatchObject([{ text: 'x' }, { id: 'c', name: 'f', json: '{}' }]);
    expect(reason).toBe('tool_use');
  });

  it('puts the pages of an answer on its text, once, however often they are sent', async () => {
    const pages = [{ url: 'https://a.example', title: 'A', snippet: 's' }];
    const said = { ...delta({ content: 'x[1]' }), search_results: pages };
    const { seen } = await collect(source(said, { ...stop, search_results: pages }));
    const cited = seen.flatMap(
      ({ delta: part }) => (part as { citation?: object } | undefined)?.citation ?? [],
    );
    expect(cited).toEqual([
      {
        type: 'web_search_result_location',
        url: 'https://a.example',
        title: 'A',
        cited_text: 's',
        encrypted_index: '',
      },
    ]);
  });

  it.each([
    ['ends without a finish reason', [delta({ content: 'x' })]],
    ['ends with [DONE] alone', ['[DONE]']],
    ['is empty', []],
    ['is not JSON', [delta({ content: 'x' }), 'oops']],
    ['holds what is no object', [delta({ content: 'x' }), '[]']],
    ['calls a tool without a name', [piece(0, '{}', 'c'), stop]],
  ])(
    'fails with 502 when the stream %s, and never ends as if it were whole',
    async (_what, chunks) => {
      const { seen, error } = await collect(source(...chunks));
      expect(error).toMatchObject({ status: 502, code: 'upstream_error' });
      expect(seen.map(({ type }) => type)).not.toContain('message_stop');
    },
  );

  it.each([
    [{ error: { message: 'm', type: 'server_error' } }, 'api_error', 'm'],
    [
      { error: { message: 'm', type: 'tokens', code: 'rate_limit_exceeded' } },
      'rate_limit_error',
      'm',
    ],
    [{ error: { message: 'm', type: 'overloaded_error' } }, 'overloaded_error', 'm'],
    [{ error: { message: 'm', type: 'invalid_request_error' } }, 'invalid_request_error', 'm'],
    [{ error: { message: 'm', type: 'authentication_error' } }, 'api_error', 'm'],
    [{ error: 'm' }, 'api_error', 'm'],
    [{ object: 'error', message: 'm', type: 'x', code: 400 }, 'invalid_request_error', 'm'],
    [{ choices: [{ index: 0, delta: {}, error: { message: 'm', code: 502 } }] }, 'api_error', 'm'],
    [{ choices: [], x_groq: { error: 'm' } }, 'api_error', 'm'],
  ])('turns %j into an error event, which is the last', async (chunk, type, message) => {
    const { seen, error } = await collect(source(delta({ content: 'x' }), chunk, stop));
    expect(error).toBeUndefined();
    expect(seen.at(-1)).toEqual({ type: 'error', error: { type, message } });
    // As the first event it lets the call fail as a whole.
    expect((await collect(source(chunk))).seen).toHaveLength(1);
  });

  it('waits for an id or a name that comes late, and makes an id that never comes', async () => {
    const late = await messageOf(
      piece(0, '{"a"'),
      piece(0, ':1}', undefined, 'f'),
      piece(0, '', 'c'),
      stop,
    );
    expect(late.content).toMatchObject([{ id: 'c', name: 'f', json: '{"a":1}' }]);
    const chunks = [piece(0, '{}', '', 'f'), piece(1, '{}', undefined, 'g'), stop];
    const { content } = await messageOf(...chunks);
    const ids = content.map(({ id }) => id!);
    expect(new Set(ids).size).toBe(2);
    expect(ids.every((id) => /^toolu_.+/.test(id) && id.length <= 40)).toBe(true);
    expect((await messageOf(...chunks)).content.map(({ id }) => id)).toEqual(ids);
  });

  it('tells calls apart that have no index, or one that is used again', async () => {
    const bare = await messageOf(
      piece(undefined, '{"a"', 'c1', 'f'),
      piece(undefined, ':1}'),
      piece(undefined, '{}', 'c2', 'f'),
      stop,
    );
    expect(bare.content.map(({ id, json }) => [id, json])).toEqual([
      ['c1', '{"a":1}'],
      ['c2', '{}'],
    ]);
    const again = await messageOf(piece(0, '{}', 'c1', 'f'), piece(0, '{}', 'c2', 'g'), stop);
    expect(again.content.map(({ id, name }) => [id, name])).toEqual([
      ['c1', 'f'],
      ['c2', 'g'],
    ]);
  });

  it.each([undefined, 0])('tells calls apart that have no id, and the index %s', async (index) => {
    const { content } = await messageOf(
      piece(index, '{"a"', undefined, 'f'),
      piece(index, ':1}'),
      piece(index, '{"a":2}', undefined, 'f'),
      piece(index, '{}', '', 'g'),
      stop,
    );
    expect(content.map(({ name, json }) => [name, json])).toEqual([
      ['f', '{"a":1}'],
      ['f', '{"a":2}'],
      ['g', '{}'],
    ]);
    expect(new Set(content.map(({ id }) => id)).size).toBe(3);
    const repeated = await messageOf(
      piece(0, '{"a"', undefined, 'f'),
      piece(0, ':1}', undefined, 'f'),
      piece(0, '', undefined, 'f'),
      stop,
    );
    expect(repeated.content.map(({ json }) => json)).toEqual(['{"a":1}']);
  });

  it('takes no longer for each call that has no index when there are many', async () => {
    const work = (indexOf: (at: number) => number | undefined) => {
      const calls = Array.from({ length: 20_000 }, (_, at) =>
        piece(indexOf(at), '{}', `c${at}`, 'f'),
      );
      const events = openaiChatCodec.decodeStream!(source(...calls, stop), context());
      return workedMs(() => Readable.from(events).toArray());
    };
    const numbered = await work((at) => at);
    expect(await work(() => undefined)).toBeLessThan(3 * numbered);
  });

  it('gives the caller’s tools back the names that they came with', async () => {
    const name = 'mcp.server/tool';
    const chunks = source(piece(0, '{}', 'c', wireToolName(name)), stop);
    const { seen } = await collect(chunks, [{ name }]);
    expect(assemble(seen).content[0]?.name).toBe(name);
  });

  it('ignores further choices', async () => {
    const other = { choices: [{ index: 1, delta: { content: 'no' }, finish_reason: 'length' }] };
    const { content, reason } = await messageOf(other, delta({ content: 'yes' }), other, stop);
    expect({ text: content[0]?.text, reason }).toEqual({ text: 'yes', reason: 'end_turn' });
  });

  it('keeps blocks apart and arguments whole, however parallel calls are mixed', async () => {
    const args = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value));
    const calls = fc.array(fc.tuple(args, fc.array(fc.nat(200), { maxLength: 6 })), {
      minLength: 1,
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(calls, fc.array(fc.nat(), { maxLength: 60 }), async (made, picks) => {
        const queues = made.map(([whole, cuts], index) => {
          const places = [0, ...cuts.map((cut) => cut % whole.length), whole.length].sort(
            (a, b) => a - b,
          );
          return places
            .slice(1)
            .map((end, at) =>
              piece(
                index,
                whole.slice(places[at], end),
                at ? undefined : `c${index}`,
                at ? undefined : 'f',
              ),
            );
        });
        const order: number[] = [];
        const chunks: object[] = [];
        const take = (index: number) => {
          const next = queues[index]?.shift();
          if (next && !order.includes(index)) order.push(index);
          if (next) chunks.push(next);
        };
        picks.forEach((pick) => {
          take(pick % queues.length);
        });
        queues.forEach((queue, index) => {
          while (queue.length > 0) take(index);
        });
        const { content } = await messageOf(delta({ content: 'first' }), ...chunks, stop);
        expect(content.slice(1).map(({ id, json }) => [id, json])).toEqual(
          order.map((index) => [`c${index}`, made[index]![0]]),
        );
      }),
    );
  });
});

const RECORDED = globSync('../shared/fixtures/recorded/openai/chat/*.json');
(existsSync('../shared/fixtures/recorded') ? describe : describe.skip)(
  'openai chat stream: recorded answers (skipped without ../shared)',
  () => {
    const streams = RECORDED.map((file) => JSON.parse(readFileSync(file, 'utf8')) as Recorded)
      .filter(({ response }) => response.sse)
      .map(({ id, response }) => [id, response] as const);

    it.each(streams)('%s', async (_id, { sse, sse_eol }) => {
      const eol = sse_eol === 'CRLF' ? '\r\n' : '\n';
      const bytes = Buffer.from([...sse!, '', ''].join(eol));
      const want = factsOf(sse!);
      const { seen, error } = await collect(inPieces(bytes, 7));
      if (want.error) {
        expect(seen.at(-1)).toMatchObject({ type: 'error', error: { message: want.error } });
        return;
      }
      if (want.finish === undefined) {
        expect(error?.status).toBe(502);
        return;
      }
      expect(error).toBeUndefined();
      const { content, reason, usage } = assemble(seen);
      const of = (kind: string) => content.filter(({ type }) => type === kind);
      expect(
        of('text')
          .map(({ text }) => text)
          .join(''),
      ).toBe(want.text);
      expect(of('tool_use').map(({ name, json }) => [name, json])).toEqual(want.calls);
      const isCall = want.calls.length > 0 && want.finish !== 'length';
      expect(reason).toBe(isCall ? 'tool_use' : REASONS[want.finish]);
      const cached = want.usage?.prompt_tokens_details?.cached_tokens ?? 0;
      expect(usage?.input_tokens).toBe(want.usage && want.usage.prompt_tokens - cached);
      expect(usage?.cache_read_input_tokens ?? 0).toBe(cached);
      expect(usage?.output_tokens).toBe(want.usage?.completion_tokens);
    });

    it.each(streams)('%s, cut behind every event', async (_id, { sse }) => {
      const data = sse!
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trim());
      const finish = data.findIndex((text) => /"finish_reason": ?"|"error": ?\{/.test(text));
      for (let length = 0; length <= data.length; length++) {
        const { seen, error } = await collect(source(...data.slice(0, length)));
        if (finish >= 0 && length > finish) expect(error).toBeUndefined();
        else {
          expect(error?.status).toBe(502);
          expect(seen.map(({ type }) => type)).not.toContain('message_delta');
        }
      }
    });
  },
);

const REASONS: Record<string, string> = { stop: 'end_turn', length: 'max_tokens' };

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<ServerEvent> {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
  for await (const events of sseFrames(Readable.from(pieces))) yield* events;
}

/** The recorded chunks read in the plainest way, apart from the code that is tested. */
function factsOf(lines: readonly string[]) {
  const calls: [string, string][] = [];
  let text = '';
  let finish: string | undefined;
  let error: string | undefined;
  let usage: WireUsage | undefined;
  for (const line of lines.filter((candidate) => candidate.startsWith('data: {'))) {
    const chunk = JSON.parse(line.slice(6)) as WireChunk;
    error ??= chunk.error?.message;
    usage = chunk.usage ?? usage;
    const choice = chunk.choices?.find(({ index }) => index === 0);
    text += `${choice?.delta.content ?? ''}${choice?.delta.refusal ?? ''}`;
    finish = choice?.finish_reason ?? finish;
    const old = choice?.delta.function_call;
    for (const made of choice?.delta.tool_calls ?? (old ? [{ index: 0, function: old }] : [])) {
      const call = (calls[made.index] ??= ['', '']);
      call[0] ||= made.function.name ?? '';
      call[1] += made.function.arguments ?? '';
    }
  }
  return { calls, text, finish, error, usage };
}

interface Recorded {
  id: string;
  response: { sse?: string[]; sse_eol?: string };
}

interface WireUsage {
  prompt_tokens: number;
  completion_tokens: number;
  prompt_tokens_details?: { cached_tokens?: number };
}

interface WireChunk {
  error?: { message: string };
  usage?: WireUsage | null;
  choices?: {
    index: number;
    delta: {
      content?: string | null;
      refusal?: string | null;
      tool_calls?: { index: number; function: { name?: string; arguments?: string | null } }[];
      function_call?: { name?: string; arguments?: string };
    };
    finish_reason?: string | null;
  }[];
}
