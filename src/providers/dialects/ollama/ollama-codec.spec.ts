import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  askedBy,
  assembled,
  eventsOf,
  messagesCall,
  waysOf,
} from '../../../../test/support/translation.js';
import { type NeutralBlock, type NeutralRequest } from '../../../contract/neutral.js';
import { ollamaCodec, ollamaDialect } from './ollama-dialect.js';
import { marked } from '../proof-marks.js';

type Wire = Record<string, any>;

const { sent, decoded, streamed } = waysOf(ollamaCodec);
const thought = (thinking: string): NeutralBlock => ({
  type: 'thinking',
  thinking,
  signature: marked('ollama', 'thinking'),
});

describe('ollama request', () => {
  it('puts sampling and parameters of the runner into options', () => {
    expect(
      sent({
        model: 'ollama/llama3.2',
        system: 'Be brief.',
        ...askedBy('Hi'),
        max_tokens: 50,
        temperature: 0,
        top_k: 5,
        stop_sequences: ['END'],
        output_config: { format: { type: 'json_schema', schema: { type: 'object' } } },
        metadata: { user_id: 'u' },
        seed: 7,
        num_ctx: 8192,
        options: { min_p: 0.1, temperature: 1 },
        keep_alive: '5m',
      }),
    ).toEqual({
      model: 'llama3.2',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
      ],
      format: { type: 'object' },
      options: {
        min_p: 0.1,
        seed: 7,
        num_ctx: 8192,
        num_predict: 50,
        temperature: 0,
        top_k: 5,
        stop: ['END'],
      },
      keep_alive: '5m',
      stream: false,
    });
  });

  it('says that it does not stream, because Ollama streams unless it is told', () => {
    expect(sent({}).stream).toBe(false);
    expect(sent({ stream: true }).stream).toBe(true);
    expect(ollamaCodec.encode(messagesCall({ stream: true }))[0]?.framing).toBe('ndjson');
  });

  it.each([
    [{ thinking: { type: 'enabled', budget_tokens: 9 }, reasons: true }, true],
    [{ thinking: { type: 'adaptive' }, output_config: { effort: 'max' }, reasons: true }, 'high'],
    [{ thinking: { type: 'enabled', budget_tokens: 9 } }, undefined],
    [{ thinking: { type: 'disabled' } }, false],
    [{ think: 'low' }, 'low'],
  ])('turns %j into think', (request, think) => {
    expect(sent(request).think).toBe(think);
  });

  it('names the tool of each result and hands images on beside the text', () => {
    const image = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'QQ==' },
    };
    const { messages } = sent({
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'See' }, image] },
        {
          role: 'assistant',
          content: [
            thought('Hm.'),
            { type: 'thinking', thinking: 'of another', signature: 'Anthropic' },
            { type: 'tool_use', id: 'a', name: 'now', input: { zone: 'CET' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'and?' },
            {
              type: 'tool_result',
              tool_use_id: 'a',
              content: [{ type: 'text', text: '12' }, image],
            },
          ],
        },
      ],
    });
    expect(messages).toEqual([
      { role: 'user', content: 'See', images: ['QQ=='] },
      {
        role: 'assistant',
        content: '',
        thinking: 'Hm.',
        tool_calls: [{ id: 'a', function: { name: 'now', arguments: { zone: 'CET' } } }],
      },
      { role: 'tool', tool_name: 'now', tool_call_id: 'a', content: '12', images: ['QQ=='] },
      { role: 'user', content: 'and?' },
    ]);
  });

  it.each([
    [{ type: 'any' }, ['now', 'then']],
    [{ type: 'tool', name: 'then' }, ['then']],
    [{ type: 'none' }, undefined],
  ])('offers the tools that fit the choice %j', (tool_choice, names) => {
    const { tools } = sent({ tools: [{ name: 'now' }, { name: 'then' }], tool_choice });
    expect(tools?.map((tool: Wire) => tool.function.name)).toEqual(names);
  });

  it.each<[string, Partial<NeutralRequest>]>([
    ['thread', { thread: { type: 'create' } }],
    [
      'messages[0].content[0].source.type',
      askedBy([{ type: 'image', source: { type: 'url', url: 'https://x.test/a.png' } }]),
    ],
    [
      'messages[0].content[0].source.media_type',
      askedBy([
        { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: '' } },
      ]),
    ],
  ])('refuses %s, which Ollama cannot be told', (param, request) => {
    expect(() => sent(request)).toThrow(
      expect.objectContaining({ status: 400, details: expect.objectContaining({ param }) }),
    );
  });
});

describe('ollama answer', () => {
  const message = {
    role: 'assistant',
    content: 'It is',
    thinking: 'Hm.',
    tool_calls: [
      { function: { name: 'now', arguments: { a: 1 } } },
      { id: 'b', function: { name: 'now', arguments: {} } },
    ],
  };
  const done = { done: true, done_reason: 'stop', prompt_eval_count: 5, eval_count: 7 };
  const blocks = [
    thought('Hm.'),
    { type: 'text', text: 'It is' },
    { type: 'tool_use', id: expect.stringMatching(/^toolu_/), name: 'now', input: { a: 1 } },
    { type: 'tool_use', id: 'b', name: 'now', input: {} },
  ];

  it('reads a whole answer, and makes the ids that are missing', () => {
    const { result, usage } = decoded({ message, ...done });
    expect(result).toMatchObject({ content: blocks, stop_reason: 'tool_use' });
    expect(usage).toMatchObject({ inputTokens: 5, outputTokens: 7 });
    expect(decoded({ message, ...done }).result.content).toEqual(result.content);
  });

  it('reads a stream of it', async () => {
    const { content, stop_reason, usage } = await assembled(
      streamed(
        eventsOf(
          { message: { role: 'assistant', content: '', thinking: 'H' }, done: false },
          { message: { content: '', thinking: 'm.' }, done: false },
          { message: { content: 'It' }, done: false },
          { message: { content: ' is', tool_calls: message.tool_calls }, done: false },
          { message: { content: '' }, ...done },
        ),
      ),
    );
    expect(content).toEqual(blocks);
    expect(stop_reason).toBe('tool_use');
    expect(usage).toMatchObject({ input_tokens: 5, output_tokens: 7 });
  });

  it.each([
    ['stop', 'end_turn'],
    [undefined, 'end_turn'],
    ['length', 'max_tokens'],
    ['load', null],
  ])('knows why it ended: %s', (done_reason, stop_reason) => {
    const { result } = decoded({ message: { content: 'x' }, done: true, done_reason });
    expect(result.stop_reason).toBe(stop_reason);
  });

  it('counts a prompt that was all in the cache as nothing, and no count as none', () => {
    expect(decoded({ message: {}, eval_count: 3 }).usage).toMatchObject({ inputTokens: 0 });
    expect(decoded({ message: {}, prompt_eval_count: 3 }).usage).toBeUndefined();
  });

  it.each([-5, 2e9, '100', 10.5, true])('knows no usage where the prompt’s is %p', async (told) => {
    const counts = { ...done, prompt_eval_count: told };
    expect(decoded({ message, ...counts }).usage).toBeUndefined();
    for await (const { name, data } of streamed(eventsOf({ message, ...counts }))) {
      if (name === 'message_delta') expect(JSON.parse(data)).not.toHaveProperty('usage');
    }
    expect.assertions(2);
  });

  it('tells an error in the middle', async () => {
    const lines = eventsOf({ message: { content: 'a' } }, { error: 'out of memory' });
    await expect(assembled(streamed(lines))).rejects.toThrow('error: out of memory');
    const proxy = eventsOf({ message: { content: 'a' } }, { message: 'bad gateway' });
    await expect(assembled(streamed(proxy))).rejects.toThrow('error: bad gateway');
  });

  it.each<[string, (object | string)[]]>([
    ['breaks off', [{ message: { content: 'a' }, done: false }]],
    ['is no JSON', ['{"mess']],
  ])('is broken when a stream %s', async (_, lines) => {
    await expect(assembled(streamed(eventsOf(...lines)))).rejects.toMatchObject({ status: 502 });
  });

  it.each(['nonsense', '[]', '{}', 'null'])('is broken when it is %s', (body) => {
    expect(() => decoded(body)).toThrow(expect.objectContaining({ status: 502 }));
  });
});

describe('ollama there and back', () => {
  const word = fc.string({ minLength: 1, maxLength: 12 });
  const called = fc.record({
    type: fc.constant('tool_use'),
    id: fc.uuid(),
    name: fc.string({ minLength: 1, maxLength: 90 }),
    input: fc
      .dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 })
      .map((input) => JSON.parse(JSON.stringify(input)) as object),
  });

  it('gives the same blocks that it was sent, under the caller’s own tool names', () => {
    fc.assert(
      fc.property(
        fc.option(word),
        word,
        fc.array(called, { maxLength: 3 }),
        (thinking, text, calls) => {
          const spoken = [
            ...(thinking === null ? [] : [thought(thinking)]),
            { type: 'text', text },
          ];
          const content = [...spoken, ...calls];
          const tools = [...new Set(calls.map(({ name }) => name))].map((name) => ({ name }));
          const request = { tools, messages: [{ role: 'assistant' as const, content }] };
          const [message] = sent(request).messages;
          expect(decoded({ message, done: true }, request).result.content).toEqual(content);
        },
      ),
    );
  });
});

describe('ollamaDialect', () => {
  it('passes chat completions on to the same root', () => {
    const relay = ollamaDialect.messages.find(({ format }) => format === 'openai');
    const { model, place, headers, created } = messagesCall({});
    const call = { model, place, headers, created, stream: true, body: {} };
    expect(relay).toHaveProperty('relay');
    expect(relay && 'relay' in relay && relay.relay.request(call)).toMatchObject({
      path: '/v1/chat/completions',
    });
  });
});
