import { describe, expect, it } from '@jest/globals';
import { modelNamed } from '../../../../test/support/translation.js';
import { assistant, refusalOf, result, text, use, user } from '../../../../test/support/blocks.js';
import { type Capabilities } from '../../../contract/model.js';
import { converseCodec } from './converse-codec.js';
import { marked } from '../proof-marks.js';

interface Sent {
  messages: { role: string; content: Record<string, any>[] }[];
  system?: object[];
  toolConfig?: { tools: Record<string, any>[]; toolChoice?: object };
  [field: string]: unknown;
}

interface Setting {
  model?: string;
  stream?: boolean;
  capabilities?: Capabilities;
  headers?: Record<string, string>;
}

const NOVA = 'us.amazon.nova-2-lite-v1:0';
const CLAUDE = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
const KIMI = 'moonshot.kimi-k2-thinking';

const callOf = (
  request: object,
  { model = NOVA, stream = false, capabilities = {}, headers = {} }: Setting = {},
) => {
  const [call, ...more] = converseCodec.encode({
    request: { model: `bedrock/${model}`, messages: [], ...request },
    model: modelNamed(`bedrock/${model}`, { capabilities }),
    place: {},
    headers,
    stream,
    inputEstimate: 1,
    id: 'req_1',
    created: 0,
  });
  expect(more).toEqual([]);
  return call!;
};
const encode = (request: object, setting?: Setting) =>
  (callOf(request, setting).body as unknown as { json: Sent }).json;
const messagesOf = (messages: object[], setting?: Setting) =>
  encode({ messages, tools: [{ name: 'f', input_schema: {} }] }, setting).messages;
const contentOf = (...content: object[]) => messagesOf([user(...content)])[0]?.content;
const refused = (request: object) => refusalOf(() => encode(request));

describe('converse request: the call', () => {
  it('puts the model, also an ARN, into the path as one segment', () => {
    const arn = 'arn:aws:bedrock:us-east-1:1234:application-inference-profile/a1/b';
    expect(callOf({}, { model: arn })).toMatchObject({
      path: `/model/arn%3Aaws%3Abedrock%3Aus-east-1%3A1234%3Aapplication-inference-profile%2Fa1%2Fb/converse`,
      framing: 'none',
    });
    expect(callOf({}, { stream: true })).toMatchObject({
      path: '/model/us.amazon.nova-2-lite-v1%3A0/converse-stream',
      framing: 'aws-event-stream',
    });
  });

  it('sends only what was asked', () => {
    expect(encode({ messages: [user(text('Hi'))], metadata: { user_id: 'u' } })).toEqual({
      messages: [{ role: 'user', content: [{ text: 'Hi' }] }],
    });
  });

  it('puts sampling into inferenceConfig', () => {
    const sampling = { max_tokens: 5, temperature: 0, top_p: 0.5, stop_sequences: ['a', 'b'] };
    expect(encode({ ...sampling, inferenceConfig: { maxTokens: 9 } }).inferenceConfig).toEqual({
      maxTokens: 5,
      temperature: 0,
      topP: 0.5,
      stopSequences: ['a', 'b'],
    });
    expect(encode({ stop_sequences: [] }).inferenceConfig).toBeUndefined();
  });

  it("keeps Converse's own fields, and gives other unknown ones to the model", () => {
    const guardrailConfig = { guardrailIdentifier: 'g', guardrailVersion: '1' };
    const body = encode({
      guardrailConfig,
      serviceTier: { type: 'flex' },
      seed: 7,
      nothing: null,
      service_tier: 'auto',
      additionalModelRequestFields: { own: true },
    });
    expect(body).toMatchObject({ guardrailConfig, serviceTier: { type: 'flex' } });
    expect(body.additionalModelRequestFields).toEqual({ seed: 7, own: true });
    expect(body).not.toHaveProperty('service_tier');
  });

  it('gets none of what clients of OpenAI send to every model without asking for anything', () => {
    const idle = { frequency_penalty: 0, presence_penalty: 0, logit_bias: {} };
    const orders = { verbosity: 'low', prompt_cache_key: 'k', prompt_cache_retention: '24h' };
    expect(encode({ ...idle, ...orders, store: false })).not.toHaveProperty(
      'additionalModelRequestFields',
    );
    const asked = { frequency_penalty: 0.5, presence_penalty: 0 };
    expect(encode(asked).additionalModelRequestFields).toEqual({ frequency_penalty: 0.5 });
  });

  it('asks for structured output with the schema as a text', () => {
    const schema = { type: 'object', properties: { a: { type: 'number' } } };
    const structure = { jsonSchema: { name: 'response', schema: JSON.stringify(schema) } };
    expect(
      encode({ output_config: { format: { type: 'json_schema', schema } } }).outputConfig,
    ).toEqual({ textFormat: { type: 'json_schema', structure } });
  });

  it('passes over a model that answers by no schema, unless it was named', () => {
    const format = { type: 'json_schema', schema: { type: 'object' } };
    const unnamed = { model: 'openai/gpt-4o', output_config: { format } };
    expect(refused(unnamed)).toMatchObject({
      status: 400,
      message: 'output_config.format: this model answers by no schema.',
    });
    const able = encode(unnamed, { capabilities: { supports_response_schema: true } });
    expect(able).toHaveProperty('outputConfig.textFormat');
  });

  it("refuses a thread in the words that Anthropic's SDK looks for", () => {
    const { status, details } = refused({ thread: { type: 'create' } });
    expect(status).toBe(400);
    expect(details.upstream?.details).toMatchObject({ error_code: 'thread_unsupported_request' });
  });
});

describe('converse request: the model’s own fields', () => {
  const thinks = { supports_reasoning: true };
  const fields = (model: string, request: object, capabilities = thinks) =>
    encode(request, { model, capabilities }).additionalModelRequestFields;

  it.each([
    [CLAUDE, { top_k: 5 }],
    [NOVA, { inferenceConfig: { topK: 5 } }],
    ['cohere.command-r-v1:0', { k: 5 }],
    ['mistral.devstral-2-123b', { top_k: 5 }],
    [KIMI, undefined],
  ])('names top_k as the maker of %s does', (model, expected) => {
    expect(fields(model, { top_k: 5 })).toEqual(expected);
  });

  it.each([
    [NOVA, { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'medium' } }],
    ['openai.gpt-oss-120b-1:0', { reasoning_effort: 'high' }],
    ['qwen.qwen3-32b-v1:0', { reasoning_config: 'high' }],
    [KIMI, undefined],
  ])('asks %s to think as its maker says it', (model, expected) => {
    const request = { thinking: { type: 'enabled', budget_tokens: 30_000 } };
    expect(fields(model, request)).toEqual(expected);
    expect(fields(model, { ...request, thinking: { type: 'disabled' } })).toBeUndefined();
    expect(fields(model, request, { supports_reasoning: false })).toBeUndefined();
  });

  it('gives a Claude what its own API takes', () => {
    const request = {
      thinking: { type: 'adaptive' },
      output_config: { effort: 'max', format: { type: 'json_schema', schema: {} } },
      tools: [{ name: 'f' }],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
    };
    const headers = { 'anthropic-beta': 'claude-code-20250219, context-1m-2025-08-07' };
    expect(encode(request, { model: CLAUDE, headers })).toMatchObject({
      additionalModelRequestFields: {
        thinking: { type: 'adaptive' },
        output_config: { effort: 'max' },
        anthropic_beta: ['context-1m-2025-08-07'],
        tool_choice: { type: 'any', disable_parallel_tool_use: true },
      },
    });
  });
});

describe('converse request: the conversation', () => {
  it('joins neighbours of one side, and adds what system turns say to the system prompt', () => {
    const body = encode({
      system: [text('S'), text('')],
      messages: [
        { role: 'user', content: 'a' },
        user(text('b'), text('')),
        { role: 'system', content: 'late' },
        assistant(text('c')),
        assistant(text('d')),
        user(text('e')),
      ],
    });
    expect(body.system).toEqual([{ text: 'S' }, { text: 'late' }]);
    expect(body.messages).toEqual([
      { role: 'user', content: [{ text: 'a' }, { text: 'b' }] },
      { role: 'assistant', content: [{ text: 'c' }, { text: 'd' }] },
      { role: 'user', content: [{ text: 'e' }] },
    ]);
  });

  it('leaves out a turn that has become empty, and joins those around it', () => {
    const foreign = { type: 'thinking', thinking: 'T', signature: marked('gemini', 's') };
    expect(messagesOf([user(text('a')), assistant(foreign), user(text('b'))])).toEqual([
      { role: 'user', content: [{ text: 'a' }, { text: 'b' }] },
    ]);
  });

  it('puts the answers to calls first, those to one call in one block', () => {
    const [, , answers] = messagesOf([
      user(text('go')),
      assistant(text('ok'), use('t1'), use('t2', 'f', { a: [1] })),
      user(text('by the way'), result('t2', 'two'), result('t1', [text('one')])),
      user(result('t1', 'more'), text('done')),
    ]);
    expect(answers?.content).toEqual([
      { toolResult: { toolUseId: 't2', content: [{ text: 'two' }] } },
      { toolResult: { toolUseId: 't1', content: [{ text: 'one' }, { text: 'more' }] } },
      { text: 'by the way' },
      { text: 'done' },
    ]);
  });

  it('tells a failed call by its status, or in words to a model that knows none', () => {
    const failed = [assistant(use('t1')), user(result('t1', 'boom', { is_error: true }))];
    expect(messagesOf(failed)[1]?.content).toEqual([
      { toolResult: { toolUseId: 't1', content: [{ text: 'boom' }], status: 'error' } },
    ]);
    expect(messagesOf(failed, { model: KIMI })[1]?.content).toEqual([
      { toolResult: { toolUseId: 't1', content: [{ text: '{"error":"boom"}' }] } },
    ]);
  });

  it('leaves out a blank text before calls', () => {
    const [, calling] = messagesOf([user(text('go')), assistant(text('\n\n'), use('t1'))]);
    expect(calling?.content).toMatchObject([{ toolUse: { toolUseId: 't1' } }]);
  });

  it('says in words that an answer is empty, which models but for Claude refuse', () => {
    const content = [{ text: '(no output)' }];
    for (const empty of ['', '\n', [], undefined, [text('')]]) {
      expect(contentOf(result('t1', empty))).toEqual([
        { toolResult: { toolUseId: 't1', content } },
      ]);
      expect(contentOf(result('t1', empty, { is_error: true }))).toEqual([
        { toolResult: { toolUseId: 't1', content, status: 'error' } },
      ]);
    }
    expect(messagesOf([user(result('t1', '', { is_error: true }))], { model: KIMI })).toEqual([
      {
        role: 'user',
        content: [
          { toolResult: { toolUseId: 't1', content: [{ text: '{"error":"(no output)"}' }] } },
        ],
      },
    ]);
  });

  it('keeps ids as Bedrock makes them and respells others, in call and answer alike', () => {
    const long = `call_${'x'.repeat(80)}|é`;
    const [call, answer] = messagesOf([
      assistant(use('functions.f:0'), use(long)),
      user(result('functions.f:0', 'a'), result(long, 'b')),
    ]);
    const sent = call?.content.map(({ toolUse }) => toolUse.toolUseId as string);
    expect(sent?.[0]).toBe('functions.f:0');
    expect(sent?.[1]).toMatch(/^[\w-]{1,64}$/);
    expect(answer?.content.map(({ toolResult }) => toolResult.toolUseId)).toEqual(sent);
  });

  it.each(['mistral.mistral-large-3-675b-instruct', 'us.mistral.pixtral-large-2502-v1:0'])(
    'makes ids of nine letters and digits for %s, and keeps its own',
    (model) => {
      const ids = ['call_0', 'toolu_01AbCdEfGhIjKlMnOp', 'aB3dE6gH9'];
      const [call, answer] = messagesOf(
        [assistant(...ids.map((id) => use(id))), user(...ids.map((id) => result(id, 'a')))],
        { model },
      );
      const sent = call?.content.map(({ toolUse }) => toolUse.toolUseId as string) ?? [];
      expect(sent.map((id) => /^[a-zA-Z0-9]{9}$/.test(id))).toEqual([true, true, true]);
      expect(new Set(sent).size).toBe(3);
      expect(sent[2]).toBe(ids[2]);
      expect(answer?.content.map(({ toolResult }) => toolResult.toolUseId)).toEqual(sent);
    },
  );

  it('tells calls and answers in words where no tool is on offer, as Converse refuses them', () => {
    const messages = [
      assistant(use('t1', 'look up', { q: 1 })),
      user(result('t1', [text('found'), image('png')]), result('t2', 'no', { is_error: true })),
    ];
    const tools = [{ name: 'look up', input_schema: {} }];
    for (const request of [{ messages }, { messages, tools, tool_choice: { type: 'none' } }]) {
      const body = encode(request);
      expect(body.toolConfig).toBeUndefined();
      expect(body.messages).toEqual([
        { role: 'assistant', content: [{ text: '[Called look up with {"q":1}]' }] },
        {
          role: 'user',
          content: [
            { text: '[Answered: found]' },
            { image: { format: 'png', source: { bytes: 'AAAA' } } },
            { text: '[Failed: no]' },
          ],
        },
      ]);
    }
  });

  it("returns its own model's thinking and nobody else's", () => {
    const thinking = (signature: string) => ({ type: 'thinking', thinking: 'T', signature });
    const redacted = (data: string) => ({ type: 'redacted_thinking', data });
    const turn = assistant(
      thinking('claudes'),
      thinking(marked('converse', 'ours')),
      thinking(marked('gemini', 'x')),
      thinking(''),
      redacted('EuYB'),
      redacted(marked('converse', 'AAEC')),
      text('a'),
    );
    expect(messagesOf([turn])[0]?.content).toEqual([
      { reasoningContent: { reasoningText: { text: 'T', signature: 'ours' } } },
      { reasoningContent: { redactedContent: 'AAEC' } },
      { text: 'a' },
    ]);
    expect(messagesOf([turn], { model: CLAUDE })[0]?.content).toEqual([
      { reasoningContent: { reasoningText: { text: 'T', signature: 'claudes' } } },
      // A Claude's data is a text, which travels as bytes.
      { reasoningContent: { redactedContent: Buffer.from('EuYB').toString('base64') } },
      { text: 'a' },
    ]);
  });

  it('refuses what runs at Anthropic, and names the place', () => {
    const search = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} };
    expect(
      refused({ messages: [user(text('a')), assistant(text('b'), search)] }).details.param,
    ).toBe('messages[1].content[1].type');
    expect(
      refused({ tools: [{ type: 'web_search_20250305', name: 'web_search' }] }).details.param,
    ).toBe('tools[0].type');
  });
});

const image = (format: string) => ({
  type: 'image',
  source: { type: 'base64', media_type: `image/${format}`, data: 'AAAA' },
});

describe('converse request: images and documents', () => {
  const document = (source: object, more: object = {}) => ({ type: 'document', source, ...more });
  const pdf = { type: 'base64', media_type: 'application/pdf', data: 'JVBE' };
  const documentsOf = (...content: object[]) =>
    contentOf(...content)?.filter((block) => 'document' in block);

  it('puts a text beside documents that are sent without one', () => {
    const [, ...rest] = contentOf(document(pdf)) ?? [];
    expect(rest).toEqual([{ text: '(documents)' }]);
    expect(contentOf(result('t1', 'a'), document(pdf))?.at(-1)).toEqual({ text: '(documents)' });
    expect(contentOf(document(pdf), text('Hi'))?.slice(1)).toEqual([{ text: 'Hi' }]);
    expect(contentOf(image('png'))).toHaveLength(1);
  });

  it('refuses more than five documents for a model that the caller did not name', () => {
    const sent = (count: number, model?: string) =>
      encode({
        ...(model && { model }),
        messages: [user(...Array.from({ length: count }, () => document(pdf)))],
      });
    expect(refusalOf(() => sent(6, 'openai/gpt-4o')).message).toBe(
      'messages: Bedrock takes 5 documents at most.',
    );
    expect(sent(5, 'openai/gpt-4o').messages).toHaveLength(1);
    expect(sent(6).messages).toHaveLength(1);
  });

  it('sends bytes and S3 addresses, and refuses the addresses that Bedrock does not fetch', () => {
    const s3 = 's3://bucket/a.webp';
    expect(contentOf(image('jpg'), { type: 'image', source: { type: 'url', url: s3 } })).toEqual([
      { image: { format: 'jpeg', source: { bytes: 'AAAA' } } },
      { image: { format: 'webp', source: { s3Location: { uri: s3 } } } },
    ]);
    const url = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } };
    expect(refused({ messages: [user(url)] }).details.param).toBe(
      'messages[0].content[0].source.url',
    );
    expect(refused({ messages: [user(image('bmp'))] }).details.param).toBe(
      'messages[0].content[0].source.media_type',
    );
  });

  it('names documents as Bedrock takes it, no two alike', () => {
    const names = documentsOf(
      document(pdf, { title: 'Q3 report (final).pdf' }),
      document(pdf, { title: 'Q3_report   (final)/pdf' }),
      document(pdf),
      document(pdf, { title: '…' }),
      document(pdf, { title: 'document (2)' }),
      document(pdf, { title: 'x'.repeat(500) }),
    )?.map(({ document: sent }) => sent.name as string);
    expect(names?.slice(0, 5)).toEqual([
      'Q3 report (final) pdf',
      'Q3 report (final) pdf (2)',
      'document',
      'document (2)',
      'document (2) (2)',
    ]);
    expect(names?.[5]).toHaveLength(190);
  });

  it('names a great many documents of one title in no time', () => {
    const content = Array.from({ length: 20_000 }, () => document(pdf, { title: 'same' }));
    expect(new Set(documentsOf(...content)?.map(({ document: sent }) => sent.name)).size).toBe(
      20_000,
    );
  });

  it('sends texts as bytes, and pieces apart where a Claude cites from them', () => {
    const pieces = { type: 'content', content: [text('é'), text('b')] };
    const cited = document(pieces, { citations: { enabled: true } });
    const bytes = (value: string) => Buffer.from(value).toString('base64');
    expect(
      documentsOf(
        document({ type: 'text', media_type: 'text/plain', data: 'é' }, { context: 'C' }),
        document(pieces),
        cited,
        document({ ...pdf, media_type: 'text/csv' }),
      )?.map(({ document: { name: _, ...sent } }) => sent),
    ).toEqual([
      { format: 'txt', source: { bytes: bytes('é') }, context: 'C' },
      { format: 'txt', source: { bytes: bytes('é\n\nb') } },
      { format: 'txt', source: { bytes: bytes('é\n\nb') } },
      { format: 'csv', source: { bytes: 'JVBE' } },
    ]);
    expect(messagesOf([user(cited)], { model: CLAUDE })[0]?.content[0]?.document).toMatchObject({
      source: { content: [{ text: 'é' }, { text: 'b' }] },
      citations: { enabled: true },
    });
    const odd = document({ ...pdf, media_type: 'application/zip' });
    expect(refused({ messages: [user(odd)] }).details.param).toMatch(/source\.media_type$/);
    for (const content of [null, 5, { a: 1 }]) {
      const broken = document({ type: 'content', content });
      expect(refused({ messages: [user(broken)] }).details.param).toMatch(/source\.content$/);
    }
  });

  it('carries search results, audio and blocks that only Converse has', () => {
    const source = 'https://example.com/ruby';
    const found = { type: 'search_result', source, title: 'Ruby', content: [text('Matz')] };
    const video = { format: 'mp4', source: { s3Location: { uri: 's3://b/v.mp4' } } };
    expect(
      contentOf(
        result('t1', [found, { type: 'json', json: { a: 1 } }]),
        { type: 'video', video },
        { type: 'guardContent', guardContent: { text: { text: 'g' } } },
        { type: 'input_audio', input_audio: { data: 'UklG', format: 'wav' } },
      ),
    ).toEqual([
      {
        toolResult: {
          toolUseId: 't1',
          content: [{ text: `Ruby\n${source}\nMatz` }, { json: { a: 1 } }],
        },
      },
      { video },
      { guardContent: { text: { text: 'g' } } },
      { audio: { format: 'wav', source: { bytes: 'UklG' } } },
    ]);
    const toClaude = messagesOf([user(result('t1', [found]))], { model: CLAUDE });
    expect(toClaude[0]?.content[0]?.toolResult.content[0].searchResult).toEqual({
      source,
      title: 'Ruby',
      content: [{ text: 'Matz' }],
      citations: { enabled: false },
    });
  });
});

describe('converse request: tools', () => {
  const tool = (name: string, more: object = {}) => ({
    name,
    input_schema: { type: 'object', properties: { a: { type: 'string' } } },
    ...more,
  });

  it('declares tools under names that Bedrock takes', () => {
    const tools = [
      tool('get', { description: 'D', strict: true }),
      tool('mcp.é/f', { description: '' }),
    ];
    const { toolConfig } = encode({ tools }, { model: KIMI });
    const [first, second] = toolConfig!.tools.map(({ toolSpec }) => toolSpec);
    const json = { type: 'object', properties: { a: { type: 'string' } } };
    expect(first).toEqual({ name: 'get', description: 'D', inputSchema: { json }, strict: true });
    expect(encode({ tools }).toolConfig?.tools[0]?.toolSpec).not.toHaveProperty('strict');
    expect(second.name).toMatch(/^[\w-]{1,64}$/);
    expect(second).not.toHaveProperty('description');
  });

  it.each([
    [NOVA, false],
    [KIMI, true],
  ])('tells %s of the schema what it takes', (model, isWhole) => {
    const json = { type: 'object', properties: {}, required: [] };
    const whole = { ...json, $schema: 'https://json-schema.org/draft/2020-12/schema' };
    const { toolConfig } = encode({ tools: [tool('get', { input_schema: whole })] }, { model });
    const [{ toolSpec }] = toolConfig!.tools as [{ toolSpec: { inputSchema: object } }];
    expect(toolSpec.inputSchema).toEqual({ json: isWhole ? whole : json });
  });

  it.each([
    [{ type: 'auto' }, undefined],
    [{ type: 'any' }, { any: {} }],
    [{ type: 'tool', name: 'get' }, { tool: { name: 'get' } }],
  ])('says %j', (tool_choice, expected) => {
    const { toolConfig } = encode({ tools: [tool('get')], tool_choice });
    expect(toolConfig?.toolChoice).toEqual(expected);
  });
});

describe('converse request: the cache', () => {
  const cache_control = { type: 'ephemeral', ttl: '1h' };
  const request = {
    system: [text('S', { cache_control })],
    tools: [{ name: 'f', input_schema: {}, cache_control }],
    messages: [
      user(text('a', { cache_control }), text('b')),
      assistant(use('t1')),
      user(result('t1', 'r', { cache_control })),
    ],
  };
  const points = (model: string, capabilities: Capabilities = {}) =>
    JSON.stringify(encode(request, { model, capabilities })).match(/"cachePoint":\{[^}]*\}/g) ?? [];

  it('sets a point behind each block that is marked', () => {
    expect(points(CLAUDE)).toHaveLength(4);
    expect(new Set(points(CLAUDE))).toEqual(
      new Set(['"cachePoint":{"type":"default","ttl":"1h"}']),
    );
    expect(encode(request, { model: CLAUDE })).toMatchObject({
      system: [{ text: 'S' }, { cachePoint: { type: 'default' } }],
      toolConfig: { tools: [{ toolSpec: {} }, { cachePoint: {} }] },
      messages: [
        { content: [{ text: 'a' }, { cachePoint: {} }, { text: 'b' }] },
        {},
        { content: [{ toolResult: {} }, { cachePoint: {} }] },
      ],
    });
  });

  it('sets none that the model would refuse', () => {
    // Nova caches no tools, and nothing for an hour.
    expect(points(NOVA)).toEqual(Array(3).fill('"cachePoint":{"type":"default"}'));
    expect(points(KIMI)).toEqual([]);
    expect(points(KIMI, { supports_prompt_caching: true })).toHaveLength(4);
    expect(points(CLAUDE, { supports_prompt_caching: false })).toEqual([]);
  });
});
