import { describe, expect, it } from '@jest/globals';
import { wireToolName } from '../src/providers/dialects/wire-names.js';
import { COMPLETION, MESSAGE } from './support/provider-answers.js';
import { useGatewayBefore, usualProviders } from './support/use-gateway.js';

const messages = [{ role: 'user', content: 'Hello' }];
const CHAT = '/v3/chat/completions';
const RESPONSES = '/v3/responses';
const image_url = { url: 'data:image/png;base64,iVBORw0KGgo=' };
const drawn = { role: 'assistant', content: 'Here.', images: [{ type: 'image_url', image_url }] };
const LOW_EFFORT = { reasoning_effort: 'low' };
const DRAWN = [...messages, drawn, ...messages];

describe('a fallback of OpenAI’s format', () => {
  const { upstream, post } = useGatewayBefore((url) => ({
    ...usualProviders(url),
    MISTRAL_API_KEY: 'k',
    MISTRAL_BASE_URL: `${url}/v1`,
    GROQ_API_KEY: 'k',
    GROQ_BASE_URL: `${url}/v1`,
    MOONSHOT_API_KEY: 'k',
    MOONSHOT_BASE_URL: `${url}/v1`,
    MINIMAX_API_KEY: 'k',
    MINIMAX_BASE_URL: `${url}/v1`,
    XAI_API_KEY: 'k',
    XAI_BASE_URL: `${url}/v1`,
    GOOGLE_API_KEY: 'k',
    GOOGLE_BASE_URL: url,
  }));

  /** What the fallback is sent when the model that was asked for is down. */
  const sentTo = async (path: string, asked: { model: string }, fallback: string) => {
    upstream.received.length = 0;
    upstream.answers((response, { body }) => {
      const isDown = asked.model.endsWith(`/${body.model}`);
      const text = { type: 'text', text: 'Hi' };
      const answer = { ...MESSAGE, ...COMPLETION, content: [text], output: [{ type: 'message' }] };
      response.writeHead(isDown ? 500 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isDown ? {} : { ...answer, status: 'completed' }));
    });
    await post(path, { ...asked, fallbacks: [fallback] }).expect(200);
    return upstream.last.body as Record<string, unknown>;
  };

  it.each([
    [CHAT, { model: 'openai/gpt-4o', messages }],
    [CHAT, { model: 'anthropic/claude-haiku-4-5', messages }],
    [RESPONSES, { model: 'openai/gpt-4o', input: 'Hello' }],
    ['/v3/v1/messages', { model: 'anthropic/claude-haiku-4-5', max_tokens: 9, messages }],
  ])('is not sampled where it reasons, which refuses that (%s, %j)', async (path, asked) => {
    const sampled = { ...asked, temperature: 0.2 };
    expect(await sentTo(path, sampled, 'openai/gpt-5-mini')).not.toHaveProperty('temperature');
    expect((await sentTo(path, sampled, 'openai/gpt-4o-mini')).temperature).toBe(0.2);
  });

  it('is not told what is for OpenAI alone, where it is somebody else’s', async () => {
    const orders = { store: false, service_tier: 'auto', prompt_cache_key: 'k', verbosity: 'low' };
    const asked = { model: 'openai/gpt-5', messages, safety_identifier: 's', seed: 1, ...orders };
    expect(await sentTo(CHAT, asked, 'mistral/mistral-large-latest')).toEqual({
      ...{ model: 'mistral-large-latest', messages, random_seed: 1 },
    });
    expect(await sentTo(CHAT, asked, 'openai/gpt-5-mini')).toMatchObject(orders);
  });

  it.each([
    ['openai/gpt-4o', {}],
    ['openai/gpt-5.5', { tools: [{ type: 'function', function: { name: 'now' } }] }],
  ])('is asked for no tier of service but OpenAI’s own (%s)', async (fallback, more) => {
    const tierFor = async (service_tier: string) => {
      const asked = { model: 'groq/openai/gpt-oss-120b', messages, service_tier, ...more };
      return (await sentTo(CHAT, asked, fallback)).service_tier;
    };
    expect(await tierFor('on_demand')).toBeUndefined();
    expect(await tierFor('flex')).toBe('flex');
  });

  it.each([
    ['minimal', 'low'],
    ['none', undefined],
    ['xhigh', 'high'],
    ['medium', 'medium'],
  ])('is asked for an effort that it knows in place of %s: %s', async (effort, known) => {
    const asked = { model: 'openai/gpt-5', messages, reasoning_effort: effort };
    for (const fallback of ['groq/openai/gpt-oss-120b', 'openai/o3']) {
      expect((await sentTo(CHAT, asked, fallback)).reasoning_effort).toBe(known);
    }
    const input = { model: 'openai/gpt-5', input: 'Hi', reasoning: { effort, summary: 'auto' } };
    const { reasoning } = await sentTo(RESPONSES, input, 'openai/o3');
    expect(reasoning).toEqual({ ...(known && { effort: known }), summary: 'auto' });
  });

  it('is asked to tell its thinking apart from its text, where it does so only then', async () => {
    const minimax = 'minimax/MiniMax-M3';
    const splitFor = async (more: object) => {
      const asked = { model: 'openai/gpt-4o', messages, ...more };
      return (await sentTo(CHAT, asked, minimax)).reasoning_split;
    };
    expect(await splitFor({})).toBe(true);
    expect(await splitFor({ reasoning_split: false })).toBe(false);
    await post(CHAT, { model: minimax, messages }).expect(200);
    expect(upstream.last.body).not.toHaveProperty('reasoning_split');
  });

  it.each([
    ['moonshot/kimi-k3', { reasoning_effort: 'low' }, {}],
    ['moonshot/kimi-k2.7-code', {}, {}],
    ['moonshot/kimi-k2.6', { thinking: { type: 'enabled' } }, { thinking: { type: 'disabled' } }],
  ])('is told how to think in the words of its series (%s)', async (model, low, off) => {
    const toldOf = (body: object) => {
      const { thinking, reasoning_effort } = body as Record<string, unknown>;
      return JSON.parse(JSON.stringify({ thinking, reasoning_effort })) as object;
    };
    const asked = { model: 'openai/gpt-5', messages };
    expect(toldOf(await sentTo(CHAT, { ...asked, ...LOW_EFFORT }, model))).toEqual(low);
    const wishes = [
      [{ thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }, low],
      [{ thinking: { type: 'disabled' } }, off],
    ] as const;
    for (const [wish, told] of wishes) {
      await post('/v3/v1/messages', { model, max_tokens: 9, messages, ...wish }).expect(200);
      expect(toldOf(upstream.last.body as object)).toEqual(told);
    }
    await post(CHAT, { model, messages, ...LOW_EFFORT }).expect(200);
    const { reasoning_effort } = upstream.last.body as Record<string, unknown>;
    expect(reasoning_effort).toBe('reasoning_effort' in low ? 'low' : undefined);
  });

  it('is offered a tool that is forced alone, where it cannot be told which', async () => {
    const tools = ['f', 'g'].map((name) => ({ name, input_schema: { type: 'object' } }));
    const asked = { max_tokens: 9, messages, tools, tool_choice: { type: 'tool', name: 'g' } };
    const sentOf = async (model: string) => {
      await post('/v3/v1/messages', { ...asked, model }).expect(200);
      return upstream.last.body as Record<string, unknown>;
    };
    const forced = await sentOf('moonshot/kimi-k3');
    expect(forced.tools).toMatchObject([{ function: { name: 'g' } }]);
    expect(forced).toMatchObject({ tool_choice: 'required' });
    expect((await sentOf('moonshot/kimi-k2.6')).tools).toHaveLength(2);
    expect(upstream.last.body).toMatchObject({ tool_choice: { function: { name: 'g' } } });
  });

  it('is told no effort where it knows none of the usual, named or not', async () => {
    const [qwen, messagesPath] = ['groq/qwen/qwen3.6-27b', '/v3/v1/messages'];
    const asked = { model: 'openai/gpt-5', messages, reasoning_effort: 'high' };
    expect(await sentTo(CHAT, asked, qwen)).not.toHaveProperty('reasoning_effort');
    const output_config = { effort: 'high' };
    const told = { model: 'anthropic/claude-haiku-4-5', max_tokens: 9, messages, output_config };
    const adaptive = { ...told, thinking: { type: 'adaptive' } };
    expect(await sentTo(messagesPath, adaptive, qwen)).not.toHaveProperty('reasoning_effort');
    await post(messagesPath, { ...adaptive, model: qwen }).expect(200);
    expect(upstream.last.body).not.toHaveProperty('reasoning_effort');
  });

  it('is asked to think in its own words, whatever the caller’s are', async () => {
    const thinking = { type: 'enabled', budget_tokens: 2_000 };
    const named = { model: 'anthropic/claude-haiku-4-5', messages, max_tokens: 4_000 };
    for (const wish of [{ reasoning: { effort: 'low' } }, { thinking }]) {
      for (const model of ['openai/gpt-5', 'groq/openai/gpt-oss-120b']) {
        const sent = await sentTo(CHAT, { ...named, ...wish }, model);
        expect(sent).toMatchObject({ reasoning_effort: 'low' });
        const router_candidates = [model];
        await post(CHAT, { ...named, ...wish, model: '@router', router_candidates }).expect(200);
        expect(upstream.last.body).toMatchObject({ reasoning_effort: 'low' });
        for (const body of [sent, upstream.last.body]) {
          expect(Object.keys(body)).not.toEqual(expect.arrayContaining(Object.keys(wish)));
        }
      }
    }
  });

  it('is not told to call one tool at a time where it does nothing else', async () => {
    const parameters = { type: 'object', properties: {} };
    const tools = [{ type: 'function', function: { name: 'f', parameters } }];
    const asked = { model: 'openai/gpt-4o', messages, tools, parallel_tool_calls: false };
    expect(await sentTo(CHAT, asked, 'openai/o3')).not.toHaveProperty('parallel_tool_calls');
    expect(await sentTo(CHAT, asked, 'openai/gpt-5')).toHaveProperty('parallel_tool_calls', false);
    const tool_choice = { type: 'auto', disable_parallel_tool_use: true };
    const own = [{ name: 'f', input_schema: parameters }];
    const told = { model: 'anthropic/claude-haiku-4-5', max_tokens: 9, messages, tools: own };
    const sent = await sentTo('/v3/v1/messages', { ...told, tool_choice } as never, 'openai/o3');
    expect(sent).not.toHaveProperty('parallel_tool_calls');
  });

  it.each(['openai/gpt-4.1', 'openai/gpt-5', 'groq/openai/gpt-oss-120b'])(
    'is told nothing that only another provider knows, where it refuses that (%s)',
    async (fallback) => {
      const mistrals = { random_seed: 3, safe_prompt: false, prompt_mode: null };
      const others = { provider: { order: ['x'] }, top_k: 4, enable_thinking: true, options: {} };
      const said = { role: 'assistant', content: 'Hi', prefix: false };
      const asked = { model: 'xai/grok-4.3', messages: [...messages, said, ...messages], seed: 1 };
      const sent = await sentTo(CHAT, { ...asked, ...mistrals, ...others }, fallback);
      expect(Object.keys(sent).sort()).toEqual(['messages', 'model', 'seed']);
      expect(sent.messages).toEqual([...messages, { ...said, prefix: undefined }, ...messages]);
    },
  );

  it('is told what is new at OpenAI, where the caller named one of OpenAI’s models', async () => {
    const asked = { model: 'openai/gpt-4.1', messages, brand_new: 1 };
    expect(await sentTo(CHAT, asked, 'openai/gpt-4o-mini')).toHaveProperty('brand_new', 1);
  });

  it('is told of each array that there is something in it, without which it refuses the call', async () => {
    const schema = { type: 'object', properties: { list: { type: 'array' } } };
    const whole = { type: 'object', properties: { list: { type: 'array', items: {} } } };
    const asked = { model: 'anthropic/claude-haiku-4-5', messages };
    const own = { ...asked, max_tokens: 9, tools: [{ name: 'f', input_schema: schema }] };
    const told = { type: 'function', function: { name: 'f', parameters: schema } };
    const expected = [{ ...told, function: { name: 'f', parameters: whole } }];
    expect((await sentTo('/v3/v1/messages', own, 'openai/gpt-4.1')).tools).toEqual(expected);
    const chat = { ...asked, tools: [told] };
    expect((await sentTo(CHAT, chat, 'openai/gpt-4.1')).tools).toEqual(expected);
    const named = { type: 'function', name: 'f', parameters: schema };
    const { tools } = await sentTo(
      RESPONSES,
      { ...asked, input: 'Hi', tools: [named] } as never,
      'openai/gpt-4.1',
    );
    expect(tools).toEqual([{ ...named, parameters: whole }]);
  });

  it('has neither names nor biases where Groq refuses them', async () => {
    const named = [{ role: 'user', name: 'bob', content: 'Hello' }];
    const asked = { model: 'openai/gpt-4.1', messages: named, logit_bias: { 1: -100 }, n: 1 };
    const groq = await sentTo(CHAT, asked, 'groq/llama-3.3-70b-versatile');
    expect(groq).toEqual({ model: 'llama-3.3-70b-versatile', messages, n: 1 });
    expect((await sentTo(CHAT, asked, 'mistral/mistral-large-latest')).messages).toEqual(messages);
    expect((await sentTo(CHAT, asked, 'openai/gpt-4o-mini')).messages).toEqual(named);
  });

  it.each([
    ['log probabilities', 'groq/llama-3.3-70b-versatile', { logprobs: true }],
    ['log probabilities', 'mistral/mistral-large-latest', { logprobs: true }],
    ['log probabilities', 'openai/gpt-5-mini', { logprobs: true }],
    ['several answers', 'groq/llama-3.3-70b-versatile', { n: 2 }],
    [
      'a schema',
      'groq/llama-3.3-70b-versatile',
      { response_format: { type: 'json_schema', json_schema: { name: 'r', schema: {} } } },
    ],
    ['a picture that was drawn', 'anthropic/claude-opus-4-8', { messages: DRAWN }],
  ])('is passed over for %s where it gives none: %s', async (_, fallback, fields) => {
    upstream.received.length = 0;
    upstream.replies(429, { error: { message: 'slow down' } }, { 'retry-after': '600' });
    const model = 'messages' in fields ? 'google/gemini-2.5-flash' : 'openai/gpt-4.1';
    await post(CHAT, { model, messages, fallbacks: [fallback], ...fields }).expect(429);
    expect(upstream.received).toHaveLength(1);
  });

  it('is asked for a schema at Groq where it is known to answer by one', async () => {
    const format = { type: 'json_schema', json_schema: { name: 'r', schema: { type: 'object' } } };
    const asked = { model: 'openai/gpt-4.1', messages, response_format: format };
    const sent = await sentTo(CHAT, asked, 'groq/openai/gpt-oss-120b');
    expect(sent.response_format).toEqual(format);
  });

  it('is not shown what another one has drawn, where it is OpenAI’s', async () => {
    const asked = { model: 'google/gemini-2.5-flash', messages: DRAWN };
    const { messages: sent } = await sentTo(CHAT, asked, 'openai/gpt-4o-mini');
    expect(sent).toEqual([...messages, { role: 'assistant', content: 'Here.' }, ...messages]);
  });

  it('is told how much to reason only where it can be', async () => {
    const asked = { model: 'openai/gpt-5', messages, reasoning_effort: 'medium' };
    expect(await sentTo(CHAT, asked, 'xai/grok-code-fast-1')).not.toHaveProperty(
      'reasoning_effort',
    );
    expect(await sentTo(CHAT, asked, 'xai/grok-3-mini')).toHaveProperty('reasoning_effort');
    const thinking = { type: 'enabled', budget_tokens: 2_000 };
    upstream.replies(200, COMPLETION);
    const own = { model: 'xai/grok-4-fast-reasoning', max_tokens: 4_000, messages, thinking };
    await post('/v3/v1/messages', own).expect(200);
    expect(upstream.last.body).not.toHaveProperty('reasoning_effort');
  });

  it.each(['low', 'medium', 'xhigh'])(
    'reasons as much as it can be told to where it knows one effort alone, and not %s',
    async (effort) => {
      const mistral = 'mistral/magistral-medium-latest';
      const asked = { model: 'openai/gpt-5', messages, reasoning_effort: effort };
      expect(await sentTo(CHAT, asked, mistral)).toHaveProperty('reasoning_effort', 'high');
      upstream.replies(200, COMPLETION);
      const told = async (fields: object) => {
        const body = { model: mistral, max_tokens: 4_000, messages, ...fields };
        await post('/v3/v1/messages', body).expect(200);
        return (upstream.last.body as Record<string, unknown>).reasoning_effort;
      };
      const thinking = { type: 'enabled', budget_tokens: 2_000 };
      const output_config = { effort };
      expect(await told({ thinking })).toBe('high');
      expect(await told({ output_config })).toBe('high');
      expect(await told({ thinking: { type: 'adaptive' } })).toBe('high');
      expect(await told({})).toBeUndefined();
      expect(await told({ output_config, thinking: { type: 'disabled' } })).toBeUndefined();
    },
  );

  it.each(['openai/gpt-4o-mini', 'mistral/mistral-large-latest'])(
    'is asked for a schema by a name that it takes (%s)',
    async (fallback) => {
      const named = { model: 'google/gemini-2.5-flash', messages };
      const json_schema = { name: 'An answer', schema: { type: 'object', properties: {} } };
      const response_format = { type: 'json_schema', json_schema };
      const answering = { ...named, response_format };
      const answered = await sentTo(CHAT, answering, fallback);
      expect(answered.response_format).toEqual({
        ...response_format,
        json_schema: { ...json_schema, name: wireToolName('An answer') },
      });
    },
  );

  it('is told of alternatives on top of a schema in words, which OpenAI and Claude refuse', async () => {
    const anyOf = [{ required: ['a'] }, { required: ['b'] }];
    const properties = { a: {}, b: {} };
    const parameters = { type: 'object', properties, anyOf };
    const tools = [{ type: 'function', function: { name: 'f', parameters } }];
    const asked = { model: 'mistral/mistral-large-latest', messages, tools };
    const merged = { type: 'object', properties, description: `{anyOf: ${JSON.stringify(anyOf)}}` };
    expect((await sentTo(CHAT, asked, 'openai/gpt-4o-mini')).tools).toEqual([
      { type: 'function', function: { name: 'f', parameters: merged } },
    ]);
    expect((await sentTo(CHAT, asked, 'anthropic/claude-haiku-4-5')).tools).toEqual([
      { name: 'f', input_schema: merged },
    ]);
  });

  it('is offered functions as tools where it knows nothing else', async () => {
    const functions = [{ name: 'f', parameters: { type: 'object', properties: {} } }];
    const called = { name: 'f', arguments: '{}' };
    const asked = {
      model: 'openai/gpt-4.1',
      functions,
      function_call: { name: 'f' },
      messages: [
        ...messages,
        { role: 'assistant', content: null, function_call: called },
        { role: 'function', name: 'f', content: 'ok' },
        ...messages,
      ],
    };
    const sent = await sentTo(CHAT, asked, 'mistral/mistral-large-latest');
    expect(sent).not.toHaveProperty('functions');
    expect(sent.tools).toMatchObject([{ type: 'function', function: { name: 'f' } }]);
    expect(JSON.stringify(sent.messages)).toContain('"tool_calls"');
    expect(await sentTo(CHAT, asked, 'openai/gpt-4o-mini')).toMatchObject({ functions });
  });

  it('reads no proofs of another’s thinking, whichever field they are in', async () => {
    const thinking_blocks = [{ type: 'thinking', thinking: 'T', signature: 'RW9BTlRI' }];
    const thought = { role: 'assistant', content: 'Hi', thinking_blocks };
    const asked = {
      model: 'anthropic/claude-haiku-4-5',
      messages: [...messages, thought, ...messages],
    };
    for (const fallback of ['openai/gpt-4o-mini', 'groq/llama-3.3-70b-versatile']) {
      const sent = await sentTo(CHAT, asked, fallback);
      expect(JSON.stringify(sent)).not.toContain('RW9BTlRI');
    }
  });

  it('gets no reasoning where it does not, also of a conversation that has some', async () => {
    const input = [
      { type: 'message', role: 'user', content: 'Hello' },
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' },
      { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'ok' },
    ];
    const asked = {
      model: 'openai/gpt-5',
      input,
      reasoning: { effort: 'low' },
      include: ['reasoning.encrypted_content'],
      store: false,
    };
    const sent = await sentTo(RESPONSES, asked, 'openai/gpt-4o');
    expect(sent.input).toEqual(input.filter(({ type }) => type !== 'reasoning'));
    expect([sent.reasoning, sent.include, sent.store]).toEqual([undefined, [], false]);
    expect(await sentTo(RESPONSES, asked, 'openai/gpt-5-mini')).toMatchObject({
      ...asked,
      model: 'gpt-5-mini',
    });
  });
});
