import { describe, expect, it } from '@jest/globals';
import { messagesCall } from '../../../../test/support/translation.js';
import { GatewayError } from '../../../contract/gateway-error.js';
import { type Place } from '../../place.js';
import { geminiDialect, vertexGeminiDialect } from './gemini-dialect.js';

interface Sent {
  systemInstruction?: unknown;
  contents: { role: string; parts: Record<string, any>[] }[];
  tools: unknown[];
  toolConfig: unknown;
  generationConfig: Record<string, unknown>;
  [field: string]: unknown;
}

interface Options {
  readonly name?: string;
  readonly stream?: boolean;
  readonly place?: Place;
  readonly vertex?: boolean;
}

const upstreamCall = (
  request: object,
  { name = 'gemini-2.5-flash', stream = false, place = {}, vertex = false }: Options = {},
) => {
  const headers = { 'anthropic-beta': 'x' };
  const context = messagesCall({ model: `google/${name}`, ...request }, { place, headers, stream });
  const dialect = vertex ? vertexGeminiDialect : geminiDialect;
  const [call, ...more] = dialect.messages[0].codec.encode(context);
  expect(more).toEqual([]);
  return call!;
};

const sent = (request: object, options?: Options): Sent =>
  (upstreamCall(request, options).body as { json: Sent }).json;

const parts = (messages: object[], options?: Options) =>
  sent({ messages }, options).contents.flatMap((content) => content.parts);

const user = (...content: object[]) => ({ role: 'user', content });
const assistant = (...content: object[]) => ({ role: 'assistant', content });
const toolUse = (id: string, name = 'weather', input = {}) => ({
  type: 'tool_use',
  id,
  name,
  input,
});
const toolResult = (id: string, content: unknown = 'fine', more = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...more,
});

const refusal = (request: object, options?: Options): unknown => {
  try {
    sent(request, options);
  } catch (error) {
    if (error instanceof GatewayError && error.status === 400) return error.details.param;
    throw error;
  }
  return undefined;
};

describe('where a request goes', () => {
  it.each<[Options, string]>([
    [{}, '/v1beta/models/gemini-2.5-flash:generateContent'],
    [{ stream: true }, '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse'],
    [{ name: 'models/gemini-2.5-pro' }, '/v1beta/models/gemini-2.5-pro:generateContent'],
    [{ name: 'tunedModels/mine' }, '/v1beta/tunedModels/mine:generateContent'],
    [{ name: '../x?y#z' }, '/v1beta/models/..%2Fx%3Fy%23z:generateContent'],
    [
      { vertex: true, place: { project: 'p:1', region: 'europe-west4' } },
      '/v1/projects/p%3A1/locations/europe-west4/publishers/google/models/gemini-2.5-flash:generateContent',
    ],
    [
      { vertex: true, place: { project: 'p' }, name: 'endpoints/12/3' },
      '/v1/projects/p/locations/global/endpoints/12%2F3:generateContent',
    ],
    [{ vertex: true }, '/v1/publishers/google/models/gemini-2.5-flash:generateContent'],
  ])('%j: %s', (options, path) => {
    const call = upstreamCall({}, options);
    expect(call.path).toBe(path);
    expect(call.framing).toBe(options.stream ? 'sse' : 'none');
    expect(call.headers).toBeUndefined();
  });
});

describe('a conversation', () => {
  it('has no empty text of a document or of what was found, which Gemini refuses', () => {
    const plain = (data: string) => ({ type: 'text', media_type: 'text/plain', data });
    const { contents } = sent({
      messages: [
        user(
          { type: 'document', title: '', source: plain('') },
          { type: 'document', title: 'Notes', source: plain('') },
          { type: 'search_result', title: '', source: '', content: [{ type: 'text', text: '' }] },
        ),
      ],
    });
    expect(contents).toEqual([{ role: 'user', parts: [{ text: 'Notes' }] }]);
  });

  it('becomes an instruction and turns of two roles', () => {
    expect(
      sent({
        system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
        messages: [
          { role: 'system', content: 'Always.' },
          { role: 'user', content: 'Hello' },
          { role: 'assistant', content: 'Hi' },
          { role: 'user', content: '' },
          { role: 'system', content: 'Now in French.' },
        ],
      }),
    ).toEqual({
      systemInstruction: { parts: [{ text: 'Be brief.' }, { text: 'Always.' }] },
      contents: [
        { role: 'user', parts: [{ text: 'Hello' }] },
        { role: 'model', parts: [{ text: 'Hi' }] },
        { role: 'user', parts: [{ text: 'Now in French.' }] },
      ],
    });
  });

  it('sends speech inline', () => {
    const speech = { type: 'input_audio', input_audio: { data: 'UklG', format: 'wav' } };
    expect(parts([user(speech)])).toEqual([
      { inlineData: { mimeType: 'audio/wav', data: 'UklG' } },
    ]);
  });

  it('sends bytes inline and addresses as files, with the type that Google wants', () => {
    const url = (type: string, at: string) => ({ type, source: { type: 'url', url: at } });
    expect(
      parts([
        user(
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
          url('image', 'https://a.test/cat.WEBP?size=1.png'),
          url('image', 'https://a.test/v1.5/cat'),
          url('document', 'gs://bucket/paper'),
          {
            type: 'document',
            title: 'Paper',
            source: { type: 'base64', media_type: 'application/pdf', data: 'BB==' },
          },
          {
            type: 'document',
            context: 'Old',
            source: { type: 'text', media_type: 'text/plain', data: 'Body' },
          },
          {
            type: 'search_result',
            source: 'https://s.test',
            title: 'S',
            content: [{ type: 'text', text: 'found' }],
          },
        ),
      ]),
    ).toEqual([
      { inlineData: { mimeType: 'image/png', data: 'AA==' } },
      { fileData: { mimeType: 'image/webp', fileUri: 'https://a.test/cat.WEBP?size=1.png' } },
      { fileData: { mimeType: 'image/jpeg', fileUri: 'https://a.test/v1.5/cat' } },
      { fileData: { mimeType: 'application/pdf', fileUri: 'gs://bucket/paper' } },
      { text: 'Paper' },
      { inlineData: { mimeType: 'application/pdf', data: 'BB==' } },
      { text: 'Old\n\nBody' },
      { text: 'S\nhttps://s.test' },
      { text: 'found' },
    ]);
  });

  it('returns results first, in the order of their calls, by id and name', () => {
    const { contents } = sent({
      messages: [
        assistant(
          { type: 'text', text: 'Let me see.' },
          toolUse('a'),
          toolUse('b', 'time', { in: 'Oslo' }),
        ),
        user(
          { type: 'text', text: 'Also hurry.' },
          toolResult('b', [
            { type: 'text', text: 'noon' },
            { type: 'tool_reference', tool_name: 'date' },
          ]),
          toolResult('a', undefined, { is_error: true }),
        ),
      ],
    });
    expect(contents).toEqual([
      {
        role: 'model',
        parts: [
          { text: 'Let me see.' },
          { functionCall: { id: 'a', name: 'weather', args: {} } },
          { functionCall: { id: 'b', name: 'time', args: { in: 'Oslo' } } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'a', name: 'weather', response: { error: 'fine' } } },
          { functionResponse: { id: 'b', name: 'time', response: { output: 'noon\ndate' } } },
          { text: 'Also hurry.' },
        ],
      },
    ]);
  });

  it('sends no ids to Vertex, which refuses them', () => {
    const messages = [assistant(toolUse('a')), user(toolResult('a'))];
    expect(JSON.stringify(sent({ messages }, { vertex: true }))).not.toContain('"id"');
  });

  it('puts the images of a result into it since Gemini 3, and beside it before', () => {
    const image = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'AA==' },
    };
    const messages = [assistant(toolUse('a')), user(toolResult('a', [image]))];
    const inline = { inlineData: { mimeType: 'image/png', data: 'AA==' } };
    const [, old, beside] = parts(messages);
    expect(old!.functionResponse.parts).toBeUndefined();
    expect(beside).toEqual(inline);
    const [, result, ...more] = parts(messages, { name: 'gemini-3-flash-preview' });
    expect(result!.functionResponse.parts).toEqual([inline]);
    expect(more).toEqual([]);
  });

  it('cleans names that Gemini refuses, the same for tool, call, choice and result', () => {
    const name = '1 näme/with$everything'.padEnd(80, 'x');
    const request = {
      tools: [{ name, input_schema: { type: 'object' } }],
      tool_choice: { type: 'tool', name },
      messages: [assistant(toolUse('a', name)), user(toolResult('a'))],
    };
    const names = JSON.stringify(sent(request)).match(
      /"(?:name":"|allowedFunctionNames":\[")[^"]*/g,
    )!;
    const [clean, ...others] = names.map((match) => match.replace(/.*"/, ''));
    expect(clean).toMatch(/^[A-Za-z_][\w.:-]{0,63}$/);
    expect(others).toEqual([clean, clean, clean]);
  });
});

describe('signatures', () => {
  const three = { name: 'gemini-3.5-flash' };

  it('stand in for those of calls that another model made, on the first call of a step', () => {
    const messages = [
      assistant(
        { type: 'thinking', thinking: 'Hm', signature: 'anthropics' },
        toolUse('a'),
        toolUse('b'),
      ),
      user(toolResult('a'), toolResult('b')),
      assistant(toolUse('c')),
      user(toolResult('c')),
    ];
    const signatures = (options?: Options) =>
      parts(messages, options).map(({ thoughtSignature }) => thoughtSignature as unknown);
    const dummy = 'skip_thought_signature_validator';
    expect(signatures(three)).toEqual([dummy, undefined, undefined, undefined, dummy, undefined]);
    expect(signatures({ name: 'gemini-flash-latest' })[0]).toBe(dummy);
    expect(signatures()).toEqual(Array(6).fill(undefined));
    expect(signatures({ name: 'my-tuned-gemini' })).toEqual(Array(6).fill(undefined));
  });

  it('find their call although a client moved its blocks or changed its id', () => {
    const proof = (id: string, signature: string) => ({
      type: 'thinking',
      thinking: '',
      signature: `cw1.gemini-call.${id}:${signature}`,
    });
    const signed = (...content: object[]) =>
      parts([assistant(...content)], three)
        .filter((part) => part.functionCall)
        .map((part) => [part.functionCall.id, part.thoughtSignature] as unknown);
    expect(
      signed(
        proof('b', 'B'),
        proof('a', 'A'),
        { type: 'text', text: 'x' },
        toolUse('a'),
        toolUse('b'),
      ),
    ).toEqual([
      ['a', 'A'],
      ['b', 'B'],
    ]);
    expect(signed(proof('gone', 'A'), toolUse('new'))).toEqual([['new', 'A']]);
  });

  it('of a part that is not there any more keep a part of their own', () => {
    const thinking = { type: 'thinking', thinking: 'Hm', signature: 'cw1.gemini.S' };
    expect(parts([assistant(thinking)], three)).toEqual([
      { text: 'Hm', thought: true },
      { text: '', thoughtSignature: 'S' },
    ]);
  });
});

describe('tools', () => {
  const tool = {
    name: 'weather',
    description: 'Of a city',
    input_schema: { type: 'object', $defs: {} },
  };
  const declared = {
    functionDeclarations: [
      { name: 'weather', description: 'Of a city', parametersJsonSchema: tool.input_schema },
    ],
  };

  it.each([
    [undefined, undefined],
    [{ type: 'auto', disable_parallel_tool_use: true }, { mode: 'AUTO' }],
    [{ type: 'any' }, { mode: 'ANY' }],
    [{ type: 'none' }, { mode: 'NONE' }],
    [
      { type: 'tool', name: 'weather' },
      { mode: 'ANY', allowedFunctionNames: ['weather'] },
    ],
  ])('and a choice of %j', (tool_choice, functionCallingConfig) => {
    const { tools, toolConfig } = sent({ tools: [tool], tool_choice });
    expect(tools).toEqual([declared]);
    expect(toolConfig).toEqual(functionCallingConfig && { functionCallingConfig });
  });

  it('that are strict are checked by Gemini', () => {
    const { toolConfig } = sent({ tools: [{ ...tool, strict: true }] });
    expect(toolConfig).toEqual({ functionCallingConfig: { mode: 'VALIDATED' } });
  });

  it('of Anthropic become those of Google, and Google’s own go as they are', () => {
    const tools = [
      { type: 'web_search_20250305', name: 'web_search', max_uses: 3 },
      { type: 'web_fetch_20250910', name: 'web_fetch' },
      { type: 'code_execution_20250825', name: 'code_execution' },
      { googleMaps: { enableWidget: true } },
    ];
    expect(sent({ tools, tool_choice: { type: 'auto' } })).toEqual({
      contents: [],
      tools: [
        { googleSearch: {} },
        { urlContext: {} },
        { codeExecution: {} },
        { googleMaps: { enableWidget: true } },
      ],
    });
  });

  it('of both kinds need a word since Gemini 3, on the Gemini API', () => {
    const tools = [tool, { googleSearch: {} }];
    const said = { includeServerSideToolInvocations: true };
    expect(sent({ tools }, { name: 'gemini-3.8-flash' }).toolConfig).toEqual(said);
    expect(sent({ tools }).toolConfig).toBeUndefined();
    expect(sent({ tools }, { name: 'gemini-3.8-flash', vertex: true }).toolConfig).toBeUndefined();
  });
});

describe('settings', () => {
  it('have Gemini’s names', () => {
    expect(
      sent({
        max_tokens: 10,
        temperature: 0,
        top_p: 0.5,
        top_k: 3,
        stop_sequences: ['END'],
        metadata: { user_id: 'u' },
        service_tier: 'auto',
        seed: 7,
        presence_penalty: 0.1,
        user: 'u',
        n: 1,
        logprobs: false,
        safety_settings: [{ category: 'C', threshold: 'T' }],
        cachedContent: 'cachedContents/1',
        unheard_of: 1,
        generation_config: { top_k: 9, media_resolution: 'LOW' },
        output_config: { format: { type: 'json_schema', schema: { type: 'object' } } },
      }),
    ).toEqual({
      contents: [],
      generationConfig: {
        maxOutputTokens: 10,
        temperature: 0,
        topP: 0.5,
        topK: 9,
        stopSequences: ['END'],
        seed: 7,
        presencePenalty: 0.1,
        mediaResolution: 'LOW',
        responseMimeType: 'application/json',
        responseJsonSchema: { type: 'object' },
      },
      safetySettings: [{ category: 'C', threshold: 'T' }],
      cachedContent: 'cachedContents/1',
      unheard_of: 1,
    });
  });

  const enabled = { type: 'enabled', budget_tokens: 31_999 };
  const effort = (level: string) => ({ output_config: { effort: level } });
  it.each<[string, object, object | undefined]>([
    ['gemini-2.5-flash', {}, undefined],
    ['gemini-2.5-flash', { thinking: enabled }, { thinkingBudget: 24_576, includeThoughts: true }],
    ['gemini-2.5-pro', { thinking: enabled }, { thinkingBudget: 31_999, includeThoughts: true }],
    [
      'gemini-2.5-flash-lite',
      { thinking: { type: 'enabled', budget_tokens: 1 } },
      { thinkingBudget: 512, includeThoughts: true },
    ],
    ['gemini-2.5-flash', { thinking: { type: 'disabled' } }, { thinkingBudget: 0 }],
    ['gemini-2.5-pro', { thinking: { type: 'disabled' } }, { thinkingBudget: 128 }],
    [
      'gemini-2.5-pro',
      { thinking: { type: 'adaptive' } },
      { thinkingBudget: -1, includeThoughts: true },
    ],
    ['gemini-2.5-pro', effort('low'), { thinkingBudget: 1_024 }],
    ['gemini-3.8-flash', { thinking: enabled }, { thinkingLevel: 'high', includeThoughts: true }],
    [
      'gemini-3.8-flash',
      { thinking: { type: 'adaptive', display: 'omitted' }, ...effort('medium') },
      { thinkingLevel: 'medium' },
    ],
    ['gemini-3.8-flash', { thinking: { type: 'disabled' } }, { thinkingLevel: 'low' }],
    ['gemini-3.5-flash', { thinking: { type: 'disabled' } }, { thinkingLevel: 'minimal' }],
    ['gemini-3-pro-preview', effort('medium'), { thinkingLevel: 'high' }],
    ['gemini-4-argon', effort('max'), { thinkingLevel: 'high' }],
    ['gemini-flash-latest', effort('low'), { thinkingLevel: 'low' }],
    ['gemini-2.0-flash', { thinking: enabled }, undefined],
    ['gemini-2.5-flash-image', { thinking: enabled }, undefined],
    ['gemma-3-27b-it', { thinking: enabled }, undefined],
  ])('make %s think as asked: %j', (name, request, thinkingConfig) => {
    expect(sent(request, { name }).generationConfig?.thinkingConfig).toEqual(thinkingConfig);
  });
});

describe('what cannot be said', () => {
  it.each<[string, object]>([
    [
      'messages[0].content[0].source.type',
      { messages: [user({ type: 'image', source: { type: 'file', file_id: 'f' } })] },
    ],
    [
      'messages[0].content[0].source.url',
      { messages: [user({ type: 'image', source: { type: 'url', url: 'http://a.test/x.png' } })] },
    ],
    ['messages[0].content[0].source', { messages: [user({ type: 'image' })] }],
    [
      'messages[0].content[0].type',
      { messages: [user({ type: 'container_upload', file_id: 'f' })] },
    ],
    ['messages[0].content[0].text', { messages: [user({ type: 'text' })] }],
    ['messages[0].content[0].tool_use_id', { messages: [user(toolResult('nobody'))] }],
    [
      'messages[1].content[0].content[0].type',
      { messages: [assistant(toolUse('a')), user(toolResult('a', [{ type: 'mystery' }]))] },
    ],
    [
      'messages[0].content[0].type',
      {
        messages: [assistant({ type: 'server_tool_use', id: 's', name: 'web_search', input: {} })],
      },
    ],
    [
      'messages[0].content[0].type',
      { messages: [assistant({ type: 'compaction', content: 'So far so good.' })] },
    ],
    [
      'messages[0].content[0].type',
      { messages: [assistant({ type: 'mcp_tool_use', id: 'm', name: 'now', input: {} })] },
    ],
    ['messages[0].content[0].input', { messages: [assistant({ ...toolUse('a'), input: 'x' })] }],
    ['tools[0].type', { tools: [{ type: 'computer_20250124', name: 'computer' }] }],
    [
      'tools[0].allowed_domains',
      { tools: [{ type: 'web_search_20250305', name: 'web_search', allowed_domains: ['a.test'] }] },
    ],
    ['tool_choice.type', { tools: [{ name: 'a' }], tool_choice: { type: 'some' } }],
    ['thinking.type', { thinking: { type: 'deep' } }],
    ['output_config.format.type', { output_config: { format: { type: 'grammar' } } }],
    ['thread', { thread: { id: 't' } }],
    ['n', { n: 2 }],
    ['top_logprobs', { top_logprobs: 3 }],
    ['serviceTier', { serviceTier: 'flex' }],
    ['generationConfig.candidateCount', { generationConfig: { candidate_count: 2 } }],
    [
      'generationConfig.responseModalities',
      { generationConfig: { responseModalities: ['AUDIO'] } },
    ],
  ])('is refused by its name: %s', (param, request) => {
    expect(refusal(request)).toBe(param);
  });

  const manual = { manualMode: { modelName: 'gemini-2.5-pro' } };
  it.each<[string, object]>([
    ['routingConfig', { routingConfig: manual }],
    ['routing_config', { routing_config: { auto_mode: {} } }],
    ['generationConfig.routingConfig', { generationConfig: { routingConfig: manual } }],
    ['generation_config.routing_config', { generation_config: { routing_config: manual } }],
    ['generationConfig.modelConfig', { generationConfig: { seed: 1, modelConfig: {} } }],
    ['model_selection_config', { model_selection_config: {} }],
  ])('is refused as it has another model answer: %s', (param, request) => {
    expect([refusal(request), refusal(request, { vertex: true })]).toEqual([param, param]);
  });
});
