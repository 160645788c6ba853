import { describe, expect, it } from '@jest/globals';
import { ADMIN_KEY } from './support/gateway.js';
import { messageEvent } from './support/provider-answers.js';
import {
  CLAUDE,
  claudeSays,
  claudeStreams,
  LLAMA,
  responseEvents,
  useTranslatingGateway,
} from './support/responses-upstream.js';

const hello = { type: 'text', text: 'Hello' };
const cost = (1000 * 3 + 200 * 0.3 + 500 * 15) / 1_000_000;
const usage = {
  input_tokens: 1200,
  input_tokens_details: { cached_tokens: 200, cache_write_tokens: 0 },
  output_tokens: 500,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 1700,
};

describe('POST /v3/responses', () => {
  const { upstream, post, send } = useTranslatingGateway({ UPSTREAM_IDLE_TIMEOUT_MS: '1000' });

  it('asks a provider of Anthropic’s format and answers in its own', async () => {
    upstream.replies(200, claudeSays([hello]));
    const body = { model: CLAUDE, instructions: 'Be brief.', input: 'Hi', max_output_tokens: 50 };
    const { body: response, headers } = await post(body).expect(200);
    expect(response).toMatchObject({
      object: 'response',
      status: 'completed',
      model: CLAUDE,
      store: false,
      instructions: 'Be brief.',
      output: [
        {
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'Hello', annotations: [] }],
        },
      ],
      usage,
      cost,
      provider: 'anthropic',
    });
    expect(headers['x-causeway-model']).toBe(CLAUDE);
    expect(upstream.last.path).toBe('/anthropic/v1/messages');
    expect(upstream.last.body).toEqual({
      model: 'claude-sonnet-4-5',
      max_tokens: 50,
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
    });
  });

  it('asks a provider of OpenAI’s chat format and answers in its own', async () => {
    const called = {
      id: 'call_1',
      type: 'function',
      function: { name: 'f', arguments: '{"a":1}' },
    };
    const message = { role: 'assistant', content: 'Well.', tool_calls: [called] };
    upstream.replies(200, {
      choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    });
    const tools = [{ type: 'function', name: 'f', parameters: { type: 'object', properties: {} } }];
    const { body } = await post({ model: LLAMA, input: 'Hi', tools }).expect(200);
    expect(body).toMatchObject({ status: 'completed', model: LLAMA, provider: 'groq' });
    expect(body.cost).toBeGreaterThan(0);
    expect(body.output).toMatchObject([
      { type: 'message', content: [{ text: 'Well.' }] },
      { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{"a":1}' },
    ]);
    expect(upstream.last.path).toBe('/groq/v1/chat/completions');
    expect(upstream.last.body).toMatchObject({
      messages: [{ role: 'user', content: 'Hi' }],
      tools: [{ type: 'function', function: { name: 'f' } }],
    });
  });

  it('streams every event in order, with the whole response in the last', async () => {
    upstream.streams(
      ...claudeStreams(
        [
          { type: 'thinking', thinking: 'Hm, well.', signature: 'sig' },
          hello,
          { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: 1 } },
        ],
        'tool_use',
      ),
    );
    const tools = [{ type: 'function', name: 'f' }];
    const reply = await post({ model: CLAUDE, input: 'Hi', stream: true, tools }).expect(200);
    expect(reply.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    const events = responseEvents(reply.text);
    expect(events.map(({ type }) => type.replace(/^response\./, ''))).toEqual([
      ...['created', 'in_progress'],
      ...['output_item.added', 'reasoning_summary_part.added'],
      ...['reasoning_summary_text.delta', 'reasoning_summary_text.delta'],
      ...['reasoning_summary_text.done', 'reasoning_summary_part.done', 'output_item.done'],
      ...['output_item.added', 'content_part.added', 'output_text.delta', 'output_text.delta'],
      ...['output_text.done', 'content_part.done', 'output_item.done'],
      ...['output_item.added', 'function_call_arguments.delta', 'function_call_arguments.delta'],
      ...['function_call_arguments.done', 'output_item.done', 'completed'],
    ]);
    expect(events.map((event) => event.sequence_number)).toEqual([...events.keys()]);
    expect(reply.text).not.toContain('[DONE]');
    const done = events.filter(({ type }) => type.endsWith('item.done')).map(({ item }) => item);
    expect(events.at(-1)!.response).toMatchObject({
      id: events[0]!.response.id,
      status: 'completed',
      model: CLAUDE,
      output: done,
      usage,
      cost,
      provider: 'anthropic',
    });
    expect(done).toMatchObject([
      { type: 'reasoning', encrypted_content: 'cw1.thinking.sig' },
      { type: 'message' },
      { type: 'function_call', call_id: 'toolu_1', name: 'f', arguments: '{"a":1}' },
    ]);
  });

  it('streams from a provider of OpenAI’s chat format', async () => {
    const chunk = (fields: object) => `data: ${JSON.stringify(fields)}\n\n`;
    const choice = (delta: object, finish_reason: string | null = null) =>
      chunk({ choices: [{ index: 0, delta, finish_reason }] });
    upstream.streams(
      choice({ role: 'assistant', content: 'Hel' }),
      choice({ content: 'lo' }),
      choice({}, 'length'),
      chunk({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } }),
      'data: [DONE]\n\n',
    );
    const { text } = await post({ model: LLAMA, input: 'Hi', stream: true }).expect(200);
    expect(responseEvents(text).at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: {
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
        output: [{ status: 'incomplete', content: [{ text: 'Hello' }] }],
        usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
        provider: 'groq',
      },
    });
  });

  it('goes on to a fallback, also in a stream, and says who served', async () => {
    upstream.answers((response, { path }) => {
      if (path.startsWith('/groq')) {
        response.writeHead(503, { 'content-type': 'application/json' }).end('{}');
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(claudeStreams([hello]).join(''));
    });
    const body = { model: LLAMA, fallbacks: [CLAUDE], input: 'Hi', stream: true };
    const { text } = await post(body).set('x-causeway-metadata', 'enabled').expect(200);
    const [first, ...rest] = responseEvents(text);
    expect(first).toMatchObject({ causeway_metadata: { requested: LLAMA, strategy: 'fallback' } });
    expect(rest.at(-1)!.response).toMatchObject({ model: CLAUDE, provider: 'anthropic' });
  });

  it('lets the router choose', async () => {
    const body = { model: '@router', router_candidates: ['sandbox/echo'], input: 'Hi' };
    const { body: response } = await post(body).expect(200);
    expect(response).toMatchObject({ model: 'sandbox/echo', provider: 'sandbox' });
  });

  it('passes on to a provider of its own format, which is told to store nothing', async () => {
    const output = [{ id: 'msg_1', type: 'message', role: 'assistant', content: [] }];
    const answer = { id: 'resp_up', object: 'response', status: 'completed', store: false, output };
    const counts = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
    upstream.replies(200, { ...answer, model: 'gpt-4o-mini-2024-07-18', usage: counts });
    const model = 'openai/gpt-4o-mini';
    const body = { model, input: [{ role: 'user', content: 'Hi' }], future: 1 };
    const { body: response } = await post(body).expect(200);
    expect(response).toMatchObject({ ...answer, model, usage: counts, provider: 'openai' });
    expect(upstream.last.path).toBe('/openai/v1/responses');
    expect(upstream.last.body).toEqual({ ...body, model: 'gpt-4o-mini', store: false });

    // Log probabilities are what Claude cannot give.
    const asked = { model: CLAUDE, fallbacks: [model], input: 'Hi', top_logprobs: 2 };
    expect((await post(asked).expect(200)).body).toMatchObject({ model, provider: 'openai' });
  });

  it('asks nobody where none of the models can take the request', async () => {
    const body = { model: CLAUDE, fallbacks: [LLAMA], input: 'Hi', top_logprobs: 2 };
    const before = upstream.received.length;
    const { body: answer } = await post(body).expect(400);
    expect(answer.error).toMatchObject({ param: 'top_logprobs', code: 'unsupported_parameter' });
    expect(upstream.received.length).toBe(before);
  });

  it('ends a stream that the provider broke off in an error and a failed response', async () => {
    const [start, , open, delta] = claudeStreams([hello]);
    const error = { type: 'overloaded_error', message: 'Node 7 is full' };
    const message = 'The provider anthropic is overloaded.';
    upstream.streams(start!, open!, delta!, messageEvent('error', { error }));
    const { text } = await post({ model: CLAUDE, input: 'Hi', stream: true }).expect(200);
    const events = responseEvents(text);
    expect(events.slice(-2)).toMatchObject([
      { type: 'error', message, code: 'server_error' },
      {
        type: 'response.failed',
        response: {
          id: events[0]!.response.id,
          status: 'failed',
          error: { message },
        },
      },
    ]);
    expect(events.map((event) => event.sequence_number)).toEqual([...events.keys()]);
  });

  it('ends a stream whose connection broke in the same way, numbered on', async () => {
    upstream.streams(...claudeStreams([hello]).slice(0, 4));
    const { text } = await post({ model: CLAUDE, input: 'Hi', stream: true }).expect(200);
    const events = responseEvents(text);
    expect(events.slice(-2)).toMatchObject([
      { type: 'error', code: 'upstream_error', error: { type: 'upstream_error' } },
      { type: 'response.failed', response: { id: events[0]!.response.id, status: 'failed' } },
    ]);
    expect(events.map((event) => event.sequence_number)).toEqual([...events.keys()]);
  });

  const look = { type: 'function', name: 'look' };
  it.each([
    [
      { previous_response_id: 'resp_1' },
      /nothing is stored here; send the whole conversation as input/,
    ],
    [
      { input: [{ type: 'function_call_output', output: 'x' }] },
      /^input\[0\]\.call_id: must be a string/,
    ],
    [{ tool_choice: 'required' }, /^tool_choice: there is no tool/],
    [{ tool_choice: { ...look, name: 'see' }, tools: [look] }, /^tool_choice: names no tool/],
    [{ tools: [{ name: 'look' }] }, /^tools\[0\]\.type: must be a string/],
    [
      { input: [{ role: 'user', content: [{}] }] },
      /^input\[0\]\.content\[0\]\.type: must be a string/,
    ],
  ])('says of %j what to change', async (fields, message) => {
    const { body } = await post({ model: CLAUDE, input: 'Hi', ...fields }).expect(400);
    expect(body.error.message).toMatch(message);
  });

  it('answers an error before the first event as plain JSON', async () => {
    upstream.replies(429, { type: 'error', error: { type: 'rate_limit_error', message: 'Slow' } });
    const { body } = await post({ model: CLAUDE, input: 'Hi', stream: true }).expect(429);
    expect(body.error).toMatchObject({ type: 'rate_limit_error', message: 'Slow' });
  });

  it.each([
    [{ previous_response_id: 'resp_1' }, 'previous_response_id', 'unsupported_parameter'],
    [{ conversation: 'conv_1' }, 'conversation', 'unsupported_parameter'],
    [{ conversation: { id: 'conv_1' } }, 'conversation', 'unsupported_parameter'],
    [{ prompt: { id: 'pmpt_1' } }, 'prompt', 'unsupported_parameter'],
    [{ store: true }, 'store', 'unsupported_parameter'],
    [{ background: true }, 'background', 'unsupported_parameter'],
    [{ input: [{ type: 'item_reference', id: 'msg_1' }] }, 'input[0]', 'unsupported_parameter'],
    [{ input: [{ id: 'msg_1' }] }, 'input[0]', 'unsupported_parameter'],
    [{ model: undefined }, 'model', 'missing_required_parameter'],
    [{ input: undefined }, 'input', 'missing_required_parameter'],
    [{ input: [] }, 'input', 'invalid_value'],
    [{ input: 5 }, 'input', 'invalid_type'],
    [{ input: ['x'] }, 'input', 'invalid_type'],
    [{ model: 'gpt' }, 'model', 'invalid_value'],
    [{ temperature: 3 }, 'temperature', 'invalid_value'],
    [{ max_output_tokens: 0 }, 'max_output_tokens', 'invalid_value'],
    [{ truncation: 'yes' }, 'truncation', 'invalid_value'],
    [{ tools: {} }, 'tools', 'invalid_type'],
    [{ stream: 'yes' }, 'stream', 'invalid_type'],
    [{ input: [{ type: 'future' }] }, 'input[0].type', 'unsupported_parameter'],
    [{ model: 'openai/gpt-image-1' }, 'model', 'model_not_supported'],
    [{ model: 'openai/nope' }, 'model', 'model_not_found'],
  ])('refuses %j by %s', async (fields, param, code) => {
    const before = upstream.received.length;
    const { body, status } = await post({ model: CLAUDE, input: 'Hi', ...fields });
    expect([status, body.error.param, body.error.code]).toEqual([
      code === 'model_not_found' ? 404 : 400,
      param,
      code,
    ]);
    expect(Object.keys(body.error).sort()).toEqual(['code', 'message', 'param', 'type']);
    expect(upstream.received.length).toBe(before);
  });

  it.each([{ store: false }, { store: null }, { background: false }])(
    'takes %j and stores nothing',
    async (fields) => {
      upstream.replies(200, claudeSays([hello]));
      const body = { model: CLAUDE, input: 'Hi', previous_response_id: null, ...fields };
      expect((await post(body).expect(200)).body).toMatchObject({ store: false });
    },
  );

  it('knows no stored responses', async () => {
    const { body } = await send('get', '/v3/responses/resp_1').expect(404);
    expect(body.error.code).toBe('unknown_url');
    await send('delete', '/v3/responses/resp_1').expect(404);
    expect((await send('get', '/v3/responses').expect(405)).headers.allow).toBe('POST');
  });

  it('writes the call down with its user and metadata', async () => {
    upstream.replies(200, claudeSays([hello]));
    const body = { model: CLAUDE, input: 'Hi', user: 'u-1', metadata: { job: 'j' } };
    const { headers } = await post(body).expect(200);
    const id = headers['x-request-id'] as string;
    const { body: row } = await send('get', `/v3/admin/requests/${id}`)
      .set('authorization', `Bearer ${ADMIN_KEY}`)
      .expect(200);
    expect(row).toMatchObject({
      endpoint: '/responses',
      model: CLAUDE,
      outcome: 'ok',
      input_tokens: 1000,
      cache_read_tokens: 200,
      output_tokens: 500,
      user: 'u-1',
      metadata: { job: 'j' },
    });
    expect(row.cost).toBeCloseTo(cost, 12);
  });
});
