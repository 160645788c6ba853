import { createOpenAI } from '@ai-sdk/openai';
import { describe, expect, it } from '@jest/globals';
import { generateText, isStepCount, streamText, tool } from 'ai';
import OpenAI from 'openai';
import { zodResponsesFunction, zodTextFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { API_KEY } from './support/gateway.js';
import { messageEvent } from './support/provider-answers.js';
import {
  CLAUDE,
  claudeSays,
  claudeStreams,
  LLAMA,
  useTranslatingGateway,
} from './support/responses-upstream.js';
import { allOf, openaiAt, thrownBy } from './support/sdk-clients.js';

const thought = { type: 'thinking', thinking: 'Hm, well.', signature: 'sig' };
const hidden = { type: 'redacted_thinking', data: 'cipher' };
const hello = { type: 'text', text: 'Hello' };
const weather = { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Rome' } };
const patch = { type: 'tool_use', id: 'toolu_2', name: 'apply_patch', input: { input: '*** "é"' } };
const everything = [thought, hidden, hello, weather, patch];
const parameters = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
const tools = [
  { type: 'function' as const, name: 'weather', parameters, strict: true },
  { type: 'custom' as const, name: 'apply_patch' },
  { type: 'web_search' as const },
];

describe('OpenAI’s SDK and the Responses API', () => {
  const gateway = useTranslatingGateway({ UPSTREAM_IDLE_TIMEOUT_MS: '1000' });
  const { upstream } = gateway;
  const responses = () => openaiAt(gateway.url).responses;

  it('reads a whole response', async () => {
    upstream.replies(200, claudeSays(everything, 'tool_use'));
    const response = await responses().create({ model: CLAUDE, input: 'Hi', tools });
    expect(response.output_text).toBe('Hello');
    expect(response).toMatchObject({
      status: 'completed',
      usage: { input_tokens: 1200, output_tokens: 500, total_tokens: 1700 },
      provider: 'anthropic',
    });
    expect(response.output.map(({ type }) => type)).toEqual([
      ...['reasoning', 'reasoning', 'message', 'function_call', 'custom_tool_call'],
    ]);
  });

  it('puts the same response together from a stream', async () => {
    upstream.replies(200, claudeSays(everything, 'tool_use'));
    const body = { model: CLAUDE, input: 'Hi', tools };
    const whole = await responses().create(body);
    upstream.streams(...claudeStreams(everything, 'tool_use'));
    const stream = responses().stream(body);
    const deltas: string[] = [];
    stream.on('response.output_text.delta', ({ delta }) => deltas.push(delta));
    stream.on('response.function_call_arguments.delta', ({ delta }) => deltas.push(delta));
    stream.on('response.custom_tool_call_input.delta', ({ delta }) => deltas.push(delta));
    const final = await stream.finalResponse();
    expect(deltas.join('|')).toBe('Hel|lo|{"city":|"Rome"}|*** "é"');
    expect(final.output_text).toBe('Hello');
    const bare = (output: object[]) =>
      output.map((item) => ({ ...item, id: '', parsed_arguments: undefined, content: undefined }));
    expect(bare(final.output)).toEqual(bare(whole.output));
    expect(final).toMatchObject({ usage: whole.usage, cost: (whole as any).cost });
  });

  it('takes every event of every kind of item', async () => {
    const input = { command: ['ls'] };
    const use = (name: string) => ({ type: 'tool_use', id: `c_${name}`, name, input });
    const page = { type: 'web_search_result_location', url: 'https://a.example', title: 'A' };
    const image = { type: 'base64', media_type: 'image/png', data: 'AAAA' };
    upstream.streams(
      ...claudeStreams(
        [
          hello,
          { ...hello, citations: [page] },
          { type: 'image', source: image },
          ...['local_shell', 'shell', 'apply_patch', 'mcp__git__log'].map(use),
        ],
        'tool_use',
      ),
    );
    const git = { type: 'function' as const, name: 'log', parameters, strict: false };
    const stream = responses().stream({
      model: CLAUDE,
      input: 'Hi',
      tools: [
        { type: 'local_shell' },
        { type: 'shell' },
        { type: 'apply_patch' },
        { type: 'namespace', name: 'mcp__git', description: 'Git', tools: [git] },
      ],
    });
    const final = await stream.finalResponse();
    expect(final.output_text).toBe('HelloHello');
    expect(final.output).toMatchObject([
      {
        type: 'message',
        content: [
          { annotations: [] },
          { annotations: [{ type: 'url_citation', url: 'https://a.example', end_index: 5 }] },
        ],
      },
      { type: 'image_generation_call', result: 'AAAA' },
      { type: 'local_shell_call', action: { type: 'exec', command: ['ls'], env: {} } },
      { type: 'shell_call', call_id: 'c_shell' },
      { type: 'apply_patch_call', call_id: 'c_apply_patch' },
      { type: 'function_call', name: 'log', namespace: 'mcp__git' },
    ]);
  });

  it('parses structured output and the arguments of tools', async () => {
    const answer = { type: 'text', text: '{"city":"Rome"}' };
    upstream.replies(200, claudeSays([answer, weather], 'tool_use'));
    const City = z.object({ city: z.string() });
    const parsed = await responses().parse({
      model: CLAUDE,
      input: 'Hi',
      text: { format: zodTextFormat(City, 'city') },
      tools: [zodResponsesFunction({ name: 'weather', parameters: City })],
    });
    expect(parsed.output_parsed).toEqual({ city: 'Rome' });
    expect(parsed.output[1]).toMatchObject({ parsed_arguments: { city: 'Rome' } });
    expect(upstream.last.body).toMatchObject({
      output_config: { format: { type: 'json_schema', schema: { required: ['city'] } } },
      tools: [{ name: 'weather', strict: true }],
    });
  });

  it('sends a turn back as it came, with the results of its calls', async () => {
    upstream.streams(...claudeStreams(everything, 'tool_use'));
    const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'Hi' }];
    const body = { model: CLAUDE, tools, store: false };
    const first = await responses()
      .stream({ ...body, input })
      .finalResponse();
    upstream.replies(200, claudeSays([hello]));
    const results: OpenAI.Responses.ResponseInput = [
      { type: 'function_call_output', call_id: 'toolu_1', output: 'Sunny' },
      { type: 'custom_tool_call_output', call_id: 'toolu_2', output: 'Done' },
    ];
    const said = first.output as OpenAI.Responses.ResponseInput;
    await responses().create({ ...body, input: [...input, ...said, ...results] });
    const result = (id: string, said: string) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: [{ type: 'text', text: said }],
    });
    expect(upstream.last.body.messages.slice(1)).toEqual([
      { role: 'assistant', content: everything },
      { role: 'user', content: [result('toolu_1', 'Sunny'), result('toolu_2', 'Done')] },
    ]);
  });

  it.each([
    ['the provider reports', [messageEvent('error', { error: { message: 'Busy' } })], 'status 502'],
    ['the connection makes', [], 'broken'],
  ])('throws inside a stream for an error that %s', async (_, last, words) => {
    upstream.streams([...claudeStreams([hello]).slice(0, 4), ...last].join(''));
    const body = { model: CLAUDE, input: 'Hi', stream: true as const };
    const events = (await responses().create(body))[Symbol.asyncIterator]();
    expect((await events.next()).value?.type).toBe('response.created');
    const rest = (async () => {
      for (let next = await events.next(); !next.done; next = await events.next());
    })();
    expect((await thrownBy(OpenAI.APIError, rest)).message).toContain(words);
    const final = responses().stream({ model: CLAUDE, input: 'Hi' }).finalResponse();
    expect((await thrownBy(OpenAI.APIError, final)).message).toContain(words);
  });

  it('throws its own error for a request that is refused', async () => {
    const body = { model: CLAUDE, input: 'Hi', previous_response_id: 'resp_1' };
    const thrown = await thrownBy(OpenAI.BadRequestError, responses().create(body));
    expect(thrown).toMatchObject({ status: 400, param: 'previous_response_id' });
    await thrownBy(OpenAI.NotFoundError, responses().retrieve('resp_1'));
  });

  it('reads a stream of a provider of OpenAI’s chat format', async () => {
    const chunk = (delta: object, finish_reason: string | null = null) =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
    const called = (fields: object) => ({ tool_calls: [{ index: 0, ...fields }] });
    upstream.streams(
      chunk({ role: 'assistant', reasoning: 'Hm.' }),
      chunk({ content: 'Hello' }),
      chunk(called({ id: 'call_1', function: { name: 'weather', arguments: '' } })),
      chunk(called({ function: { arguments: '{"city":"Rome"}' } })),
      chunk({}, 'tool_calls'),
      'data: [DONE]\n\n',
    );
    const stream = await responses().create({ model: LLAMA, input: 'Hi', tools, stream: true });
    const events = await allOf(stream);
    expect(events.at(-1)).toMatchObject({
      type: 'response.completed',
      response: {
        output: [
          { type: 'reasoning', summary: [{ text: 'Hm.' }] },
          { type: 'message' },
          { type: 'function_call', call_id: 'call_1', arguments: '{"city":"Rome"}' },
        ],
      },
    });
  });
});

describe('the AI SDK and the Responses API', () => {
  const gateway = useTranslatingGateway();
  const { upstream } = gateway;
  const model = () =>
    createOpenAI({ baseURL: `${gateway.url}/v3`, apiKey: API_KEY }).responses(CLAUDE);
  const providerOptions = { openai: { store: false } };

  it('reads a whole response', async () => {
    upstream.replies(200, claudeSays([thought, hello]));
    const { text, reasoningText, finishReason, usage } = await generateText({
      model: model(),
      prompt: 'Hi',
      providerOptions,
    });
    expect({ text, reasoningText, finishReason }).toEqual({
      text: 'Hello',
      reasoningText: 'Hm, well.',
      finishReason: 'stop',
    });
    expect(usage).toMatchObject({ inputTokens: 1200, outputTokens: 500 });
  });

  it('calls a tool and goes on, streamed, with every proof', async () => {
    upstream.answers((response, { body }) => {
      const isFirst = body.messages.length === 1;
      const said = isFirst ? [thought, hidden, weather] : [{ type: 'text', text: 'Sunny!' }];
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(claudeStreams(said, isFirst ? 'tool_use' : 'end_turn').join(''));
    });
    const errors: unknown[] = [];
    const result = streamText({
      model: model(),
      prompt: 'Hi',
      tools: {
        weather: tool({
          inputSchema: z.object({ city: z.string() }),
          execute: ({ city }) => `Sunny in ${city}`,
        }),
      },
      stopWhen: isStepCount(3),
      providerOptions,
      onError: ({ error }) => {
        errors.push(error);
      },
    });
    expect(await result.text).toBe('Sunny!');
    expect(errors).toEqual([]);
    const [, said, answered] = upstream.last.body.messages;
    expect(said).toEqual({ role: 'assistant', content: [thought, hidden, weather] });
    expect(answered.content).toMatchObject([
      { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ text: 'Sunny in Rome' }] },
    ]);
  });

  it('reports an answer that was cut off, and an error inside a stream', async () => {
    upstream.streams(...claudeStreams([hello], 'max_tokens'));
    const cut = streamText({ model: model(), prompt: 'Hi', providerOptions });
    expect([await cut.text, await cut.finishReason]).toEqual(['Hello', 'length']);

    const error = { type: 'overloaded_error', message: 'Overloaded' };
    upstream.streams(...claudeStreams([hello]).slice(0, 4), messageEvent('error', { error }));
    const errors: unknown[] = [];
    const broken = streamText({
      model: model(),
      prompt: 'Hi',
      providerOptions,
      onError: ({ error: thrown }) => {
        errors.push(thrown);
      },
    });
    await broken.consumeStream();
    expect(JSON.stringify(errors) + String(errors[0])).toContain('anthropic is overloaded');
  });
});

describe('Codex and the Responses API', () => {
  const { upstream, post } = useTranslatingGateway();

  it('gets along with what it sends', async () => {
    upstream.streams(...claudeStreams([thought, { ...patch, id: 'toolu_3' }], 'tool_use'));
    const message = (role: string, said: string) => ({
      type: 'message',
      role,
      content: [{ type: 'input_text', text: said }],
    });
    const fn = {
      type: 'function',
      name: 'exec_command',
      description: 'Run',
      strict: false,
      parameters,
    };
    const reply = await post({
      model: CLAUDE,
      input: [
        message('developer', 'You are Codex.'),
        message('developer', 'Sandboxed.'),
        message('user', '<environment_context/>'),
        message('user', 'Fix it.'),
        {
          type: 'reasoning',
          summary: [{ type: 'summary_text', text: 'Hm, well.' }],
          encrypted_content: 'cw1.thinking.sig',
        },
        {
          type: 'function_call',
          name: 'exec_command',
          namespace: 'functions',
          arguments: '{"city":"x"}',
          call_id: 'toolu_0',
        },
        { type: 'function_call_output', call_id: 'toolu_0', output: 'ok' },
      ],
      tools: [
        {
          type: 'namespace',
          name: 'functions',
          description: 'Tools in the functions namespace.',
          tools: [
            fn,
            {
              type: 'custom',
              name: 'apply_patch',
              description: 'Edit files.',
              format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
            },
          ],
        },
        { type: 'web_search', external_web_access: false },
      ],
      tool_choice: 'auto',
      parallel_tool_calls: true,
      reasoning: { effort: 'medium', summary: 'auto' },
      store: false,
      stream: true,
      include: ['reasoning.encrypted_content'],
      prompt_cache_key: '019a',
      client_metadata: { 'x-codex-installation-id': '1' },
    }).expect(200);
    const { messages, system, tools: offered, ...rest } = upstream.last.body;
    const known = ['max_tokens', 'model', 'output_config', 'stream', 'thinking', 'tool_choice'];
    expect(Object.keys(rest).filter((field) => !known.includes(field))).toEqual([]);
    expect(system.map(({ text }: any) => text)).toEqual(['You are Codex.', 'Sandboxed.']);
    expect(offered.map(({ name }: any) => name)).toEqual(['exec_command', 'apply_patch']);
    expect(messages).toMatchObject([
      { role: 'user', content: [{ text: '<environment_context/>' }, { text: 'Fix it.' }] },
      { role: 'assistant', content: [thought, { type: 'tool_use', name: 'exec_command' }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_0' }] },
    ]);
    expect(reply.text).toContain('"type":"custom_tool_call"');
    expect(reply.text).toContain('"namespace":"functions"');
    expect(reply.text).toContain('"input":"*** \\"é\\""');
  });
});
