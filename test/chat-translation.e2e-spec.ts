import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { describe, expect, it } from '@jest/globals';
import { generateText, Output, stepCountIs, streamText, tool } from 'ai';
import OpenAI from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { API_KEY } from './support/gateway.js';
import { messageEvent } from './support/provider-answers.js';
import { allOf, openaiAt, thrownBy } from './support/sdk-clients.js';
import { useGateway } from './support/use-gateway.js';

const model = 'anthropic/claude-sonnet-4-6';
const hello = { role: 'user' as const, content: 'Hello' };
const parameters = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
};
const tools = [{ type: 'function' as const, function: { name: 'weather', parameters } }];
const used = {
  input_tokens: 10,
  output_tokens: 5,
  cache_read_input_tokens: 3,
  cache_creation_input_tokens: 2,
};
const counts = {
  prompt_tokens: 15,
  completion_tokens: 5,
  total_tokens: 20,
  prompt_tokens_details: { cached_tokens: 3, cache_write_tokens: 2 },
};

const thought = { type: 'thinking', thinking: 'Let me see.', signature: 'sig-of-anthropic' };
const text = (value: string) => ({ type: 'text', text: value });
const use = (id: string, input: object) => ({ type: 'tool_use', id, name: 'weather', input });

/** What Anthropic answers with. */
const answer = (content: object[], stop_reason = 'end_turn') => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-6',
  content,
  stop_reason,
  stop_sequence: null,
  usage: used,
});

/** The same as Anthropic streams it, with pings between the blocks. */
function events(content: Record<string, any>[], stop_reason = 'end_turn'): string[] {
  const { usage, ...message } = { ...answer([], stop_reason), stop_reason: null };
  const start = messageEvent('message_start', {
    message: { ...message, usage: { ...usage, output_tokens: 1 } },
  });
  const blocks = content.flatMap((block, index) => {
    const delta = (fields: object) => messageEvent('content_block_delta', { index, delta: fields });
    const opened = (content_block: object) =>
      messageEvent('content_block_start', { index, content_block });
    const closed = messageEvent('content_block_stop', { index }) + messageEvent('ping');
    switch (block.type) {
      case 'text':
        return [
          opened(text('')),
          ...[...block.text].map((letter: string) => delta({ type: 'text_delta', text: letter })),
          closed,
        ];
      case 'thinking':
        return [
          opened({ ...thought, thinking: '', signature: '' }),
          delta({ type: 'thinking_delta', thinking: block.thinking }),
          delta({ type: 'signature_delta', signature: block.signature }),
          closed,
        ];
      default: {
        const json = JSON.stringify(block.input);
        const pieces = json === '{}' ? [''] : ['', json.slice(0, 5), json.slice(5)];
        return [
          opened({ ...block, input: {} }),
          ...pieces.map((piece) => delta({ type: 'input_json_delta', partial_json: piece })),
          closed,
        ];
      }
    }
  });
  const end = messageEvent('message_delta', {
    delta: { stop_reason, stop_sequence: null },
    usage: used,
  });
  return [start, messageEvent('ping'), ...blocks, end, messageEvent('message_stop')];
}

describe('OpenAI’s SDK and a model that speaks Anthropic’s format', () => {
  const gateway = useGateway();
  const { upstream } = gateway;
  const client = () => openaiAt(gateway.url);

  it.each([false, true])(
    'calls a tool by names that Claude refuses, which it is told others for: %s',
    async (stream) => {
      const input = (name: string) => ({ [name]: 'price gt 5', top: 3 });
      upstream.answers((response, { body }) => {
        const { properties } = body.tools[0].input_schema;
        const [filter] = Object.keys(properties);
        const call = { ...use('toolu_1', input(filter!)), name: body.tools[0].name };
        const type = stream ? 'text/event-stream' : 'application/json';
        response.writeHead(200, { 'content-type': type });
        if (stream) response.end(events([call], 'tool_use').join(''));
        else response.end(JSON.stringify(answer([call], 'tool_use')));
      });
      const named = { type: 'object', properties: { $filter: {}, top: {} }, required: ['$filter'] };
      const list = { name: 'products.list', parameters: named };
      const asked = {
        model,
        messages: [hello],
        tools: [{ type: 'function' as const, function: list }],
      };
      const completion = stream
        ? await client().chat.completions.stream(asked).finalChatCompletion()
        : await client().chat.completions.create(asked);
      const [sent] = upstream.last.body.tools;
      expect(sent.name).toMatch(/^[\w-]{1,64}$/);
      expect(sent.input_schema.required).toEqual([expect.stringMatching(/^[\w.-]{1,64}$/)]);
      expect(completion.choices[0]?.message.tool_calls).toMatchObject([
        { function: { name: list.name, arguments: JSON.stringify(input('$filter')) } },
      ]);
    },
  );

  it('sends the conversation in Anthropic’s words and reads the answer, its usage and cost', async () => {
    upstream.replies(200, answer([text('Hi')]));
    const completion = await client().chat.completions.create({
      model,
      messages: [{ role: 'system', content: 'Be brief.' }, hello],
      max_completion_tokens: 50,
      stop: 'END',
      user: 'ann',
    });
    expect(upstream.last.path).toBe('/anthropic/v1/messages');
    expect(upstream.last.headers['x-api-key']).toBe('upstream-anthropic-key');
    expect(upstream.last.body).toEqual({
      model: 'claude-sonnet-4-6',
      system: 'Be brief.',
      messages: [hello],
      max_tokens: 50,
      stop_sequences: ['END'],
      metadata: { user_id: 'ann' },
    });
    expect(completion).toMatchObject({
      object: 'chat.completion',
      model,
      provider: 'anthropic',
      cost: expect.any(Number),
      choices: [{ message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
      usage: counts,
    });
  });

  it('reads a stream in its helpers: text, calls with their arguments, reason and usage', async () => {
    const content = [
      thought,
      text('I look.'),
      use('toolu_1', { city: 'Rome' }),
      use('toolu_2', {}),
    ];
    upstream.streams(...events(content, 'tool_use'));
    const stream_options = { include_usage: true };
    const runner = client().chat.completions.stream({
      model,
      messages: [hello],
      tools,
      stream_options,
    });
    const said: string[] = [];
    const called: unknown[] = [];
    runner.on('content', (piece) => said.push(piece));
    runner.on('tool_calls.function.arguments.done', (call) =>
      called.push([call.name, call.arguments]),
    );
    const completion = await runner.finalChatCompletion();
    expect(upstream.last.body.stream).toBe(true);
    expect(said.join('')).toBe('I look.');
    expect(called).toEqual([
      ['weather', '{"city":"Rome"}'],
      ['weather', '{}'],
    ]);
    expect(completion.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: 'I look.',
        tool_calls: [{ id: 'toolu_1' }, { id: 'toolu_2', function: { arguments: '{}' } }],
      },
    });
    expect(completion.usage).toEqual(counts);
  });

  it('names cost and provider beside the usage, for those who asked', async () => {
    upstream.streams(...events([text('Hi')]));
    const body = { model, messages: [hello], stream: true as const };
    const plain = await allOf(await client().chat.completions.create(body));
    expect(plain.map(({ usage }) => usage)).toEqual(plain.map(() => undefined));
    const stream_options = { include_usage: true };
    const asked = await allOf(await client().chat.completions.create({ ...body, stream_options }));
    expect(asked.at(-1)).toMatchObject({ choices: [], usage: counts, provider: 'anthropic' });
    expect((asked.at(-1) as { cost?: unknown }).cost).toEqual(expect.any(Number));
  });

  it('runs a tool loop, and brings thinking back with its signature', async () => {
    upstream.replies(200, answer([thought, use('toolu_1', { city: 'Rome' })], 'tool_use'));
    const first = await client().chat.completions.create({ model, messages: [hello], tools });
    const { message } = first.choices[0]!;
    const said = { role: 'tool' as const, tool_call_id: 'toolu_1', content: 'Sunny' };
    upstream.replies(200, answer([text('Sunny it is.')]));
    await client().chat.completions.create({ model, messages: [hello, message, said], tools });
    expect(upstream.last.body.messages).toEqual([
      hello,
      { role: 'assistant', content: [thought, use('toolu_1', { city: 'Rome' })] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'Sunny' }],
      },
    ]);
  });

  it('runs the SDK’s own tool loop on streams', async () => {
    const turns = [
      events([text('I look.'), use('toolu_1', { city: 'Rome' })], 'tool_use'),
      events([text('Sunny it is.')]),
    ];
    upstream.answers((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end((turns.shift() ?? []).join(''));
    });
    const asked: unknown[] = [];
    const weather = {
      type: 'function' as const,
      function: {
        name: 'weather',
        description: 'The weather in a city',
        parameters,
        parse: JSON.parse as (text: string) => object,
        function: (input: object) => {
          asked.push(input);
          return 'Sunny';
        },
      },
    };
    const runner = client().chat.completions.runTools({
      model,
      messages: [hello],
      tools: [weather],
      stream: true,
    });
    expect(await runner.finalContent()).toBe('Sunny it is.');
    expect(asked).toEqual([{ city: 'Rome' }]);
    expect(upstream.last.body.messages.at(-1).content).toEqual([
      { type: 'tool_result', tool_use_id: 'toolu_1', content: 'Sunny' },
    ]);
  });

  it('parses an answer that has to fit a schema', async () => {
    upstream.replies(200, answer([text('{"city":"Rome"}')]));
    const completion = await client().chat.completions.parse({
      model,
      messages: [hello],
      response_format: zodResponseFormat(z.object({ city: z.string() }), 'place'),
    });
    expect(completion.choices[0]?.message.parsed).toEqual({ city: 'Rome' });
    expect(upstream.last.body.output_config.format).toMatchObject({
      type: 'json_schema',
      schema: { type: 'object', properties: { city: { type: 'string' } } },
    });
  });

  it('carries cache marks', async () => {
    upstream.replies(200, answer([text('Hi')]));
    const cache_control = { type: 'ephemeral' };
    const part = { type: 'text', text: 'long', cache_control };
    await gateway
      .post('/v3/chat/completions', {
        model,
        messages: [
          { role: 'system', content: [part] },
          { role: 'user', content: [part] },
        ],
        tools: [{ ...tools[0], cache_control }],
      })
      .expect(200);
    const { system, messages, tools: offered } = upstream.last.body;
    expect([system[0], messages[0].content[0]]).toEqual([part, part]);
    expect(offered).toEqual([{ name: 'weather', input_schema: parameters, cache_control }]);
  });

  it.each([
    ['n', { n: 2 }],
    ['tools[0].type', { tools: [{ type: 'custom', custom: { name: 'patch' } }] }],
    [
      'messages[0].content[0].type',
      { messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: {} }] }] },
    ],
  ])('refuses %s with 400 before anything is sent', async (param, fields) => {
    const before = upstream.received.length;
    const body = {
      model,
      messages: [hello],
      ...fields,
    } as OpenAI.ChatCompletionCreateParamsNonStreaming;
    const thrown = await thrownBy(OpenAI.BadRequestError, client().chat.completions.create(body));
    expect(thrown).toMatchObject({ status: 400, param, type: 'invalid_request_error' });
    expect(upstream.received.length).toBe(before);
  });

  it('falls back to a model that can do what this one cannot', async () => {
    const choices = [
      { index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' },
    ];
    const usage = { prompt_tokens: 1, completion_tokens: 1 };
    upstream.replies(200, {
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'x',
      choices,
      usage,
    });
    const fallbacks = ['openai/gpt-4o-mini'];
    const call = gateway.post('/v3/chat/completions', {
      model,
      messages: [hello],
      n: 2,
      fallbacks,
    });
    expect((await call.expect(200)).body).toMatchObject({
      model: fallbacks[0],
      provider: 'openai',
    });
    expect(upstream.last.body.n).toBe(2);
  });

  it.each([
    ['first', [], 503, 'server_error'],
    ['after text', events([text('Hi')]).slice(0, 4), undefined, undefined],
  ])('throws for an error that is sent %s', async (_when, before, status, type) => {
    const error = { type: 'overloaded_error', message: 'Overloaded' };
    upstream.streams([...before, messageEvent('error', { error })].join(''));
    const { completions } = client().chat;
    const body = { model, messages: [hello], stream: true as const };
    const run = async () => allOf(await completions.create(body));
    const thrown = await thrownBy(OpenAI.APIError, run());
    expect(thrown.status).toBe(status);
    if (type) expect(thrown).toMatchObject({ type });
    else expect(thrown.message).toContain('anthropic is overloaded');
  });

  it('throws for a stream that breaks off, and does not end it as if it were whole', async () => {
    upstream.streams(...events([text('Hi')]).slice(0, 4));
    const { text: body } = await gateway
      .post('/v3/chat/completions', { model, messages: [hello], stream: true })
      .expect(200);
    expect(body).toContain('"content":"H"');
    expect(body).toContain('data: {"error":{');
    expect(body).not.toContain('[DONE]');
  });
});

describe('the AI SDK and a model that speaks Anthropic’s format', () => {
  const gateway = useGateway();
  const { upstream } = gateway;
  const chat = () =>
    createOpenAICompatible({
      name: 'causeway',
      baseURL: `${gateway.url}/v3`,
      apiKey: API_KEY,
      includeUsage: true,
      supportsStructuredOutputs: true,
    })(model);

  it('reads text, reasoning and usage of a stream', async () => {
    upstream.streams(...events([thought, text('Hi there')]));
    const result = streamText({ model: chat(), prompt: 'Hello', maxRetries: 0 });
    expect(await result.text).toBe('Hi there');
    expect(await result.reasoningText).toBe('Let me see.');
    expect(await result.finishReason).toBe('stop');
    expect(await result.usage).toMatchObject({ inputTokens: 15, outputTokens: 5, totalTokens: 20 });
  });

  it.each(['whole', 'streamed'])('runs a tool loop, %s', async (way) => {
    const turns = [
      { content: [thought, text('I look.'), use('toolu_1', { city: 'Rome' })], stop: 'tool_use' },
      { content: [text('Sunny it is.')], stop: 'end_turn' },
    ];
    upstream.answers((response) => {
      const { content, stop } = turns.shift()!;
      const isStream = way === 'streamed';
      const type = isStream ? 'text/event-stream' : 'application/json';
      response.writeHead(200, { 'content-type': type });
      response.end(
        isStream ? events(content, stop).join('') : JSON.stringify(answer(content, stop)),
      );
    });
    const asked: unknown[] = [];
    const weather = tool({
      inputSchema: z.object({ city: z.string() }),
      execute: (input) => {
        asked.push(input);
        return 'Sunny';
      },
    });
    const options = {
      model: chat(),
      prompt: 'Hello',
      tools: { weather },
      stopWhen: stepCountIs(3),
      maxRetries: 0,
    };
    const said =
      way === 'whole' ? (await generateText(options)).text : await streamText(options).text;
    expect(said).toBe('Sunny it is.');
    expect(asked).toEqual([{ city: 'Rome' }]);
    expect(upstream.last.body.messages.at(-1)).toEqual({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'Sunny' }],
    });
  });

  it('gets an object that fits its schema', async () => {
    upstream.replies(200, answer([text('{"city":"Rome"}')]));
    const schema = z.object({ city: z.string() });
    const { output } = await generateText({
      model: chat(),
      prompt: 'Hello',
      output: Output.object({ schema }),
      maxRetries: 0,
    });
    expect(output).toEqual({ city: 'Rome' });
    expect(upstream.last.body.output_config.format.schema.properties.city.type).toBe('string');
  });
});
