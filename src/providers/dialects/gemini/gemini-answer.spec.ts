import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { messagesCall, modelNamed, replyOf } from '../../../../test/support/translation.js';
import { GatewayError } from '../../../contract/gateway-error.js';
import { type NeutralBlock } from '../../../contract/neutral.js';
import { type Pricing } from '../../../contract/model.js';
import { sseFrames } from '../../../upstream/sse-frames.js';
import { type ServerEvent } from '../../provider.js';
import { geminiDialect } from './gemini-dialect.js';
import { decodeGeminiError } from './gemini-errors.js';

const { codec } = geminiDialect.messages[0];

const context = (request: object = {}, pricing: Pricing = {}) => {
  const model = modelNamed('google/gemini-3.5-flash', { pricing });
  return messagesCall({ stream: true, ...request }, { model });
};

const whole = (body: unknown, request?: object, pricing?: Pricing) =>
  codec.decode([replyOf(body)], context(request, pricing));

const answer = (parts: object[], more: object = {}) => ({
  candidates: [{ content: { parts, role: 'model' }, finishReason: 'STOP', ...more }],
});

/** What an SDK makes of the events, and the events themselves. */
const assembled = async (events: AsyncIterable<ServerEvent>, request?: object) => {
  const seen: any[] = [];
  let failure: unknown;
  try {
    for await (const { name, data } of codec.decodeStream!(events, context(request))) {
      // What was reported on the way is no event of the message.
      if (data === '') continue;
      const event = JSON.parse(data) as { type: string };
      expect(event.type).toBe(name);
      seen.push(event);
    }
  } catch (error) {
    failure = error;
  }
  const content: any[] = [];
  let open: number | undefined;
  for (const event of seen) {
    const { index, delta } = event;
    const block = content[index];
    if (event.type === 'content_block_start') {
      expect([open, index]).toEqual([undefined, content.length]);
      open = index;
      content.push({ ...event.content_block });
    } else if (event.type === 'content_block_stop') {
      expect(open).toBe(index);
      open = undefined;
      if (block.json !== undefined) block.input = JSON.parse(block.json);
      delete block.json;
    } else if (event.type === 'content_block_delta') {
      expect(open).toBe(index);
      if (delta.type === 'text_delta') block.text += delta.text;
      if (delta.type === 'thinking_delta') block.thinking += delta.thinking;
      if (delta.type === 'signature_delta') block.signature = delta.signature;
      if (delta.type === 'input_json_delta') block.json = (block.json ?? '') + delta.partial_json;
      if (delta.type === 'citations_delta')
        block.citations = [...(block.citations ?? []), delta.citation];
    }
  }
  const types = seen.map(({ type }) => type as string);
  const end = seen.find(({ type }) => type === 'message_delta');
  return { content, types, end, failure, seen };
};

async function* bytesOf(text: string, size = text.length || 1) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function* eventsOf(body: AsyncIterable<Buffer>): AsyncGenerator<ServerEvent> {
  for await (const batch of sseFrames(body)) yield* batch;
}

const sse = (...chunks: unknown[]) =>
  chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join('');
const streamed = (chunks: unknown[], request?: object) =>
  assembled(eventsOf(bytesOf(sse(...chunks))), request);

/** The same parts as one answer and as a chunk each. */
const both = async (parts: object[], request?: object) => {
  const { result } = whole(answer(parts), request);
  const chunks = parts.map((part) => ({ candidates: [{ content: { parts: [part] } }] }));
  const { content } = await streamed([...chunks, answer([])], request);
  expect(content).toEqual(result.content);
  return content;
};

const thinking = { thinking: { type: 'adaptive' } };

describe('an answer', () => {
  it('is thinking, text and calls with their own names, ids and arguments', async () => {
    const request = { tools: [{ name: 'näme', input_schema: {} }], ...thinking };
    const [name] = (
      codec.encode(context(request))[0]!.body as any
    ).json.tools[0].functionDeclarations.map((tool: { name: string }) => tool.name);
    const content = await both(
      [
        { text: 'Hm', thought: true },
        { text: 'Hel' },
        { text: 'lo' },
        { functionCall: { name, args: { a: [1] }, id: 'x1' } },
        { functionCall: { name, args: { b: null } } },
        { functionCall: { name: 'bare' } },
        { functionCall: { name: 'again', args: {}, id: 'x1' } },
        { text: '' },
      ],
      request,
    );
    expect(content).toMatchObject([
      { type: 'thinking', thinking: 'Hm', signature: '' },
      { type: 'text', text: 'Hello' },
      { type: 'tool_use', id: 'x1', name: 'näme', input: { a: [1] } },
      { type: 'tool_use', name: 'näme', input: { b: null } },
      { type: 'tool_use', name: 'bare', input: {} },
      { type: 'tool_use', name: 'again', input: {} },
    ]);
    expect(new Set(content.slice(2).map(({ id }) => id as string)).size).toBe(4);
  });

  it('keeps what Gemini ran and drew', async () => {
    const content = await both([
      { executableCode: { language: 'PYTHON', code: 'print(1)' } },
      { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1\n' } },
      { executableCode: { language: 'PYTHON', code: '!', id: 'c2' } },
      { codeExecutionResult: { outcome: 'OUTCOME_FAILED', output: 'bad', id: 'c2' } },
      { codeExecutionResult: { outcome: 'OUTCOME_DEADLINE_EXCEEDED', id: 'c2' } },
      { inlineData: { mimeType: 'image/png', data: 'AA==' } },
      { inlineData: { mimeType: 'image/png', data: 'BB==' }, thought: true },
      { fileData: { mimeType: 'video/mp4', fileUri: 'https://g.test/v' } },
      { toolCall: { toolType: 'FILE_SEARCH', id: 't' } },
      { toolResponse: { toolType: 'FILE_SEARCH', id: 't', response: { hits: 1 } } },
    ]);
    const [first] = content;
    expect(content).toEqual([
      {
        type: 'server_tool_use',
        id: first.id,
        name: 'code_execution',
        input: { code: 'print(1)', language: 'PYTHON' },
      },
      {
        type: 'code_execution_tool_result',
        tool_use_id: first.id,
        content: {
          type: 'code_execution_result',
          stdout: '1\n',
          stderr: '',
          return_code: 0,
          content: [],
        },
      },
      {
        type: 'server_tool_use',
        id: 'c2',
        name: 'code_execution',
        input: { code: '!', language: 'PYTHON' },
      },
      {
        type: 'code_execution_tool_result',
        tool_use_id: 'c2',
        content: {
          type: 'code_execution_result',
          stdout: '',
          stderr: 'bad',
          return_code: 1,
          content: [],
        },
      },
      {
        type: 'code_execution_tool_result',
        tool_use_id: 'c2',
        content: {
          type: 'code_execution_tool_result_error',
          error_code: 'execution_time_exceeded',
        },
      },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
      { type: 'document', source: { type: 'url', url: 'https://g.test/v' } },
      { type: 'server_tool_use', id: 't', name: 'file_search', input: {} },
      { type: 'file_search_tool_result', tool_use_id: 't', content: { hits: 1 } },
    ]);
    expect(first.id).toMatch(/^srvtoolu_/);
  });

  it('names its sources once each', async () => {
    const grounded = {
      groundingMetadata: {
        webSearchQueries: ['a', 'b'],
        groundingChunks: [
          { web: { uri: 'https://a.test', title: 'A' } },
          { web: { uri: 'https://a.test', title: 'A' } },
          { retrievedContext: { uri: 'gs://b', text: 'found' } },
          { retrievedContext: { title: 'no address' } },
          null,
        ],
      },
      citationMetadata: { citationSources: [{ uri: 'https://c.test', license: 'mit' }] },
    };
    const citation = { type: 'web_search_result_location', encrypted_index: '' };
    const text = {
      type: 'text',
      text: 'So.',
      citations: [
        { ...citation, url: 'https://a.test', title: 'A', cited_text: '' },
        { ...citation, url: 'gs://b', title: null, cited_text: 'found' },
        { ...citation, url: 'https://c.test', title: null, cited_text: '' },
      ],
    };
    const counts = { usageMetadata: { promptTokenCount: 1 } };
    const { result } = whole({ ...answer([{ text: 'So.' }], grounded), ...counts });
    expect(result.content).toEqual([text]);
    expect(result.usage?.server_tool_use).toEqual({
      web_search_requests: 2,
      web_fetch_requests: 0,
    });
    const { content } = await streamed([answer([{ text: 'So.' }]), answer([], grounded)]);
    expect(content).toEqual([text]);
  });

  it.each([
    ['STOP', 'end_turn', 'tool_use'],
    ['MAX_TOKENS', 'max_tokens', 'max_tokens'],
    ['SAFETY', null, null],
    ['MALFORMED_FUNCTION_CALL', null, null],
    ['UNEXPECTED_TOOL_CALL', null, null],
    ['SOMETHING_NEW', null, null],
  ])('that ends with %s: %s, and with calls %s', async (finishReason, text, calls) => {
    const stop = (parts: object[]) => whole(answer(parts, { finishReason })).result.stop_reason;
    expect(stop([{ text: 'x' }])).toBe(text);
    expect(stop([{ functionCall: { name: 'f' } }])).toBe(calls);
    const { end } = await streamed([answer([{ text: 'x' }]), answer([], { finishReason })]);
    expect(end.delta).toMatchObject({ stop_reason: text, stop_sequence: null });
  });

  it('that was filtered says why', () => {
    const { result } = whole(answer([], { finishReason: 'RECITATION', finishMessage: 'Quoted.' }));
    expect(result).toMatchObject({
      content: [],
      stop_reason: null,
      stop_details: { type: 'refusal', category: null, explanation: 'RECITATION: Quoted.' },
    });
    expect(whole(answer([], { finishReason: 'OTHER' })).result).not.toHaveProperty('stop_details');
  });

  it('to a blocked prompt is empty', async () => {
    const body = {
      promptFeedback: { blockReason: 'PROHIBITED_CONTENT' },
      usageMetadata: { promptTokenCount: 9, totalTokenCount: 9 },
    };
    const { result, usage } = whole(body);
    expect(result).toMatchObject({
      content: [],
      stop_reason: null,
      usage: { input_tokens: 9, output_tokens: 0 },
    });
    expect(usage).toMatchObject({ inputTokens: 9, outputTokens: 0 });
    const { types, end } = await streamed([body]);
    expect(types).toEqual(['message_start', 'message_delta', 'message_stop']);
    expect(end.delta).toMatchObject({
      stop_reason: null,
      stop_details: { explanation: 'PROHIBITED_CONTENT' },
    });
  });

  it('is its first candidate', async () => {
    const two = (text: string, finishReason?: string) => ({
      candidates: [
        { index: 1, content: { parts: [{ text: 'other' }] }, finishReason },
        { index: 0, content: { parts: [{ text }] }, finishReason },
      ],
    });
    expect(whole(two('a', 'STOP')).result.content).toEqual([{ type: 'text', text: 'a' }]);
    expect((await streamed([two('a'), two('b', 'STOP')])).content).toEqual([
      { type: 'text', text: 'ab' },
    ]);
  });

  it.each([
    '',
    'no json',
    'null',
    '[]',
    '{}',
    '{"candidates":[]}',
    '{"usageMetadata":{"promptTokenCount":3}}',
  ])('is refused as broken when it is %j', (body) => {
    expect(() => whole(body)).toThrow(GatewayError);
  });

  it.each([null, 1, 'x', [], [null], { parts: null }, { parts: [null, 1, {}, { text: 5 }] }])(
    'survives a content of %j',
    (content) => {
      expect(whole({ candidates: [{ content, finishReason: 'STOP' }] }).result.content).toEqual([]);
    },
  );
});

describe('usage', () => {
  it('counts cached, thought and tool tokens once', () => {
    const usageMetadata = {
      promptTokenCount: 100,
      cachedContentTokenCount: 60,
      candidatesTokenCount: 7,
      thoughtsTokenCount: 5,
      toolUsePromptTokenCount: 20,
      totalTokenCount: 132,
    };
    const { result, usage } = whole({ ...answer([{ text: 'x' }]), usageMetadata });
    expect(usage).toMatchObject({
      inputTokens: 60,
      cacheReadTokens: 60,
      outputTokens: 12,
      imageOutputTokens: 0,
    });
    expect(result.usage).toEqual({
      input_tokens: 60,
      output_tokens: 12,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 60,
      output_tokens_details: { thinking_tokens: 5 },
    });
  });

  it('counts images apart only where they have a price', () => {
    const usageMetadata = {
      promptTokenCount: 1,
      candidatesTokenCount: 1_300,
      candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1_290 }, null],
    };
    const body = { ...answer([{ text: 'x' }]), usageMetadata };
    expect(whole(body).usage).toMatchObject({ outputTokens: 1_300, imageOutputTokens: 0 });
    const { result, usage } = whole(body, {}, { outputPerImageToken: 30n });
    expect(usage).toMatchObject({ outputTokens: 10, imageOutputTokens: 1_290 });
    expect(result.usage?.output_tokens).toBe(1_300);
  });

  it('of a stream is the last word on each count, not their sum', async () => {
    const { end } = await streamed([
      {
        ...answer([{ text: 'a' }]),
        usageMetadata: { promptTokenCount: 8, candidatesTokenCount: 1, cachedContentTokenCount: 2 },
      },
      {
        ...answer([{ text: 'b' }]),
        usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 4 },
      },
    ]);
    expect(end.usage).toMatchObject({
      input_tokens: 7,
      output_tokens: 4,
      cache_read_input_tokens: 2,
    });
  });

  it.each([
    undefined,
    null,
    {},
    { trafficType: 'ON_DEMAND' },
    { promptTokenCount: -1 },
    { promptTokenCount: '5' },
    ...['candidates', 'thoughts', 'toolUsePrompt', 'cachedContent'].map((name) => ({
      promptTokenCount: 5,
      [`${name}TokenCount`]: -60,
    })),
  ])('is unknown when it is %j', async (usageMetadata) => {
    const body = { ...answer([{ text: 'x' }]), usageMetadata };
    expect(whole(body).usage).toBeUndefined();
    expect(whole(body).result.usage).toBeUndefined();
    expect((await streamed([body])).end.usage).toBeUndefined();
  });
});

describe('a stream', () => {
  it('goes on after an end that was not the last', async () => {
    const { content, end } = await streamed([
      answer([{ executableCode: { code: '1' } }]),
      answer([{ codeExecutionResult: { outcome: 'OUTCOME_OK' } }]),
      answer([{ text: 'done' }], { finishReason: 'MAX_TOKENS' }),
    ]);
    expect(content).toHaveLength(3);
    expect(end.delta.stop_reason).toBe('max_tokens');
  });

  it('puts a call together whose arguments come in pieces', async () => {
    const call = (functionCall: object, more = {}) => ({
      candidates: [{ content: { parts: [{ functionCall, ...more }] } }],
    });
    const piece = (jsonPath: string, value: object) => ({ jsonPath, ...value });
    const { content, end } = await streamed([
      call({ name: 'f', id: 'f1', willContinue: true }, { thoughtSignature: 'S' }),
      call({
        partialArgs: [piece('$.city', { stringValue: 'New ', willContinue: true })],
        willContinue: true,
      }),
      call({
        partialArgs: [
          piece('$.city', { stringValue: 'York' }),
          piece('$.days[0].n', { numberValue: 2 }),
        ],
        willContinue: true,
      }),
      call({
        partialArgs: [
          piece("$['a b'].ok", { boolValue: false }),
          piece('$.none', { nullValue: 'NULL_VALUE' }),
        ],
        willContinue: true,
      }),
      call({ partialArgs: [piece('$.__proto__.x', { numberValue: 1 })] }),
      call({ name: 'g', args: { h: 1 } }),
      answer([]),
    ]);
    expect(content[0]).toMatchObject({
      type: 'thinking',
      thinking: '',
      signature: 'cw1.gemini-call.f1:S',
    });
    expect(JSON.stringify(content[1].input)).toBe(
      '{"city":"New York","days":[{"n":2}],"a b":{"ok":false},"none":null,"__proto__":{"x":1}}',
    );
    expect(content[2]).toMatchObject({ name: 'g', input: { h: 1 } });
    expect(end.delta.stop_reason).toBe('tool_use');
    expect(({} as any).x).toBeUndefined();
  });

  it.each(['', 'city', '$', '$.', '$.a[99999999]', '$..a', '$[a]', 5])(
    'breaks at a piece for the place %j',
    async (jsonPath) => {
      const functionCall = { name: 'f', partialArgs: [{ jsonPath, stringValue: 'x' }] };
      const { failure } = await streamed([answer([{ functionCall }])]);
      expect(failure).toBeInstanceOf(GatewayError);
    },
  );

  it.each([
    [
      'an error first',
      [{ error: { code: 429, message: 'Slow down.', status: 'RESOURCE_EXHAUSTED' } }],
      'rate_limit_error',
    ],
    [
      'an error later',
      [{ candidates: [] }, { error: { message: 'Slow down.', status: 'UNAVAILABLE' } }],
      'overloaded_error',
    ],
    [
      'an error of another kind',
      [{ error: { message: 'Slow down.', status: 'INTERNAL' } }],
      'api_error',
    ],
  ])('passes on %s', async (_, chunks, type) => {
    const { seen, failure } = await streamed(chunks);
    expect(failure).toBeUndefined();
    expect(seen.at(-1)).toEqual({ type: 'error', error: { type, message: 'Slow down.' } });
  });

  it.each([
    '',
    sse({ candidates: [{ content: { parts: [{ text: 'x' }] } }] }),
    'data: {"candid\n\n',
    'data: []\n\n',
  ])('that breaks off is an error: %j', async (text) => {
    const { failure, types } = await assembled(eventsOf(bytesOf(text)));
    expect(failure).toMatchObject({ status: 502 });
    expect(types).not.toContain('message_stop');
  });
});

describe('an error', () => {
  const QUOTA = { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [] };
  const waiting = (retryDelay: string) => ({
    '@type': 'type.googleapis.com/google.rpc.RetryInfo',
    retryDelay,
  });

  it.each<[unknown, unknown]>([
    [
      { error: { code: 404, message: 'No.', status: 'NOT_FOUND', details: [{}] } },
      { message: 'No.', code: 'NOT_FOUND', type: 'not_found_error' },
    ],
    [
      [{ error: { message: 'No.', status: 'INVALID_ARGUMENT' } }],
      { message: 'No.', code: 'INVALID_ARGUMENT', type: 'invalid_request_error' },
    ],
    [
      {
        error: { message: 'No.', status: 'RESOURCE_EXHAUSTED', details: [QUOTA, waiting('34.4s')] },
      },
      { message: 'No.', code: 'RESOURCE_EXHAUSTED', type: 'rate_limit_error', retryAfter: 34.4 },
    ],
    [{ error: { message: 'No.', details: [waiting('soon')] } }, { message: 'No.' }],
    [{ error: { message: 'No.', details: [waiting('7s')] } }, { message: 'No.', retryAfter: 7 }],
    [{ error: { message: 'No.', details: [null, 'x', { retryDelay: '7s' }] } }, { message: 'No.' }],
    [{ error: 'No.' }, { message: 'No.' }],
    [{ error: { message: 'No.' } }, { message: 'No.' }],
    [answer([]), undefined],
    [null, undefined],
    ['oops', undefined],
    [[], undefined],
    [{ error: null }, undefined],
    [{ error: { message: 5 } }, undefined],
  ])('%j', (body, expected) => {
    expect(decodeGeminiError(replyOf(JSON.stringify(body)))).toEqual(expected);
  });

  it('that is no JSON says nothing', () => {
    expect(decodeGeminiError(replyOf('<html>'))).toBeUndefined();
  });
});

const word = fc.string({ minLength: 1, maxLength: 8 });
const signature = fc.stringMatching(/^[A-Za-z0-9+/]{4,12}={0,2}$/);
/** What can be read from JSON as `JSON.stringify` writes it, which writes no -0. */
const json = fc
  .dictionary(word, fc.jsonValue(), { maxKeys: 3 })
  .map((value) => JSON.parse(JSON.stringify(value)));
const part = fc.oneof(
  fc.record({ text: word }),
  fc.record({ text: word, thought: fc.constant(true), thoughtSignature: signature }),
  fc.record({ text: fc.constant(''), thoughtSignature: signature }),
  fc.record({ text: word, thoughtSignature: signature }),
  fc
    .record({
      id: fc.uuid(),
      name: fc.constantFrom('f', 'g'),
      args: json,
      thoughtSignature: signature,
    })
    .map(({ thoughtSignature, ...functionCall }) => ({ functionCall, thoughtSignature })),
  fc.record({
    inlineData: fc.record({ mimeType: fc.constant('image/png'), data: fc.constant('AA==') }),
    thoughtSignature: signature,
  }),
  fc.record({
    executableCode: fc.record({ id: fc.uuid(), language: fc.constant('PYTHON'), code: word }),
  }),
  fc.record({
    codeExecutionResult: fc.record({
      id: fc.uuid(),
      outcome: fc.constantFrom('OUTCOME_OK', 'OUTCOME_FAILED'),
      output: fc.string(),
    }),
    thoughtSignature: signature,
  }),
  fc.record({
    toolCall: fc.record({ id: fc.uuid(), toolType: fc.constant('URL_CONTEXT'), args: json }),
    thoughtSignature: signature,
  }),
  fc.record({
    toolResponse: fc.record({
      id: fc.uuid(),
      toolType: fc.constant('URL_CONTEXT'),
      response: json,
    }),
    thoughtSignature: signature,
  }),
);

/** Parts that say the same: neighbouring unsigned texts are one, what says nothing is none. */
const essence = (parts: any[]) => {
  const kept: any[] = [];
  for (const one of parts) {
    const last = kept.at(-1);
    const isPlain = (candidate: any) => candidate && Object.keys(candidate).join() === 'text';
    if (isPlain(one) && isPlain(last)) last.text += one.text;
    else if (JSON.stringify(one) !== '{"text":""}') kept.push({ ...one });
  }
  return kept;
};

describe('there and back', () => {
  it('Gemini gets its own parts again, with their signatures', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        // A signed text joins what was said before it; a tail of text keeps no signature.
        const isText = (one: any) => one?.text !== undefined && !one.thought;
        const apart = parts.filter((one, at) => !(isText(one) && isText(parts[at - 1])));
        const { result } = whole(answer(apart), thinking);
        const messages = [{ role: 'assistant', content: result.content }];
        const [call] = codec.encode(context({ messages }));
        const { contents } = (call!.body as any).json;
        const last: any = apart.at(-1);
        const isLost = last?.text === '' && !(apart.at(-2) as any)?.thought;
        const expected = isLost ? apart.slice(0, -1) : apart;
        expect(essence(contents[0]?.parts ?? [])).toEqual(essence(expected));
      }),
    );
  });

  it('a stream says the same as the whole answer, however its bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 6 }),
        fc.integer({ min: 1, max: 40 }),
        async (parts, size) => {
          const chunks = parts.map((one) => ({ candidates: [{ content: { parts: [one] } }] }));
          const text = sse(...chunks, answer([]));
          const { content, failure } = await assembled(eventsOf(bytesOf(text, size)), thinking);
          expect(failure).toBeUndefined();
          const expected: readonly NeutralBlock[] = whole(answer(parts), thinking).result.content;
          expect(content).toEqual(expected);
        },
      ),
    );
  });

  it('never throws anything but its own error, whatever comes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue(), { maxLength: 3 }), async (parts) => {
        const body = { candidates: [{ content: { parts }, finishReason: 'STOP' }] };
        const { failure } = await streamed([body]);
        expect(failure === undefined || failure instanceof GatewayError).toBe(true);
      }),
    );
  });
});
