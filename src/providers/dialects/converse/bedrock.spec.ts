import { describe, expect, it } from '@jest/globals';
import { messagesCall, modelNamed } from '../../../../test/support/translation.js';
import { type RelayContext, type UpstreamReply } from '../../provider.js';
import { bedrockAnthropicCodec } from '../anthropic/bedrock-anthropic-codec.js';
import { bedrockAnthropicRelay } from '../anthropic/bedrock-anthropic-relay.js';
import { bedrockBetas } from '../anthropic/cloud-betas.js';
import { bedrockCountTokens } from './bedrock-count-tokens.js';
import { decodeBedrockError } from './bedrock-errors.js';
import { namesClaude } from './bedrock-model.js';
import { marked } from '../proof-marks.js';

const CLAUDE = 'us.anthropic.claude-haiku-4-5-20251001-v1:0';
const model = (name = CLAUDE) => modelNamed(`bedrock/${name}`);
const messages = [{ role: 'user' as const, content: 'Hi' }];

const relayed = (body: object, more: Partial<RelayContext> = {}): RelayContext => ({
  model: model(),
  place: {},
  headers: {},
  stream: false,
  body: { model: `bedrock/${CLAUDE}`, messages, ...body },
  created: 0,
  ...more,
});
const call = (request: object = {}, more: object = {}) =>
  messagesCall({ model: `bedrock/${CLAUDE}`, messages, ...request }, more);

describe('which models of Bedrock are Claudes', () => {
  it.each([
    'anthropic.claude-v2',
    CLAUDE,
    'us-gov.anthropic.claude-sonnet-4-5',
    'arn:aws:bedrock:eu-west-1:1:inference-profile/eu.anthropic.claude-opus-5',
    'arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-3-haiku-20240307-v1:0',
  ])('%s is one', (name) => {
    expect(namesClaude(name)).toBe(true);
  });

  it.each([
    'us.amazon.nova-lite-v1:0',
    'arn:aws:bedrock:us-east-1:1:application-inference-profile/anthropic',
    'notanthropic.claude-like',
    'meta.llama3-anthropic.tuned:0',
  ])('%s is none', (name) => {
    expect(namesClaude(name)).toBe(false);
  });
});

describe('Claude on Bedrock, relayed', () => {
  const editsOf = (body: object, more?: Partial<RelayContext>) =>
    Object.fromEntries(bedrockAnthropicRelay.request(relayed(body, more)).edits);

  it('moves model, stream and betas, and says which version the body is', () => {
    const headers = {
      'anthropic-version': '2026-10-21',
      'anthropic-beta': 'claude-code-20250219, context-1m-2025-08-07',
    };
    const request = bedrockAnthropicRelay.request(relayed({}, { headers, stream: true }));
    expect(request).toMatchObject({
      path: `/model/${encodeURIComponent(CLAUDE)}/invoke-with-response-stream`,
      headers: {},
      framing: 'aws-event-stream',
    });
    expect(Object.fromEntries(request.edits)).toEqual({
      model: undefined,
      stream: undefined,
      anthropic_version: '"bedrock-2023-05-31"',
      anthropic_beta: '["context-1m-2025-08-07"]',
    });
    expect(bedrockAnthropicRelay.request(relayed({})).path).toMatch(/\/invoke$/);
  });

  it("leaves the caller's bytes alone where nothing is foreign, and takes out what is", () => {
    const turn = (signature: string) => ({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'T', signature },
        { type: 'text', text: 'a' },
      ],
    });
    expect(editsOf({ messages: [turn('own')] })).not.toHaveProperty('messages');
    expect(JSON.parse(editsOf({ messages: [turn(marked('gemini', 's'))] }).messages!)).toEqual([
      { role: 'assistant', content: [{ type: 'text', text: 'a' }] },
    ]);
  });

  it('keeps betas and a version that the caller wrote into the body', () => {
    expect(editsOf({ anthropic_version: 'bedrock-2027-01-01', anthropic_beta: ['x'] })).toEqual({
      model: undefined,
      stream: undefined,
      anthropic_version: '"bedrock-2027-01-01"',
      anthropic_beta: '["x"]',
    });
  });

  it('refuses a thread, whose earlier turns Bedrock does not have', () => {
    expect(() => bedrockAnthropicRelay.request(relayed({ thread: { create: {} } }))).toThrow(
      expect.objectContaining({ status: 400 }),
    );
  });

  it("makes an exception in the stream Anthropic's error event", () => {
    const tap = bedrockAnthropicRelay.stream!(relayed({}, { stream: true }));
    const raw = (name: string, data: string) => ({ name, data, bytes: Buffer.from('raw') });
    tap.take(raw('message_start', '{"type":"message_start","message":{}}'));
    expect(tap.take(raw('new_thing', '{"type":"new_thing"}'))?.toString()).toBe('raw');
    const out = tap.take(raw('throttlingException', '{"message":"Too many"}'))?.toString();
    expect(out).toBe(
      'event: error\ndata: {"type":"error","error":{"type":"rate_limit_error","message":"Too many"}}\n\n',
    );
    expect(tap.state).toBe('failed');
    expect(tap.error).toEqual({ type: 'rate_limit_error', message: 'Too many' });
  });
});

describe('Claude on Bedrock, translated', () => {
  it('sends a Messages body without what stands in the path', () => {
    const [sent] = bedrockAnthropicCodec.encode(
      call({ max_tokens: 5, tools: [{ name: 'f' }] }, { stream: true }),
    );
    expect(sent).toEqual({
      path: `/model/${encodeURIComponent(CLAUDE)}/invoke-with-response-stream`,
      body: {
        json: {
          max_tokens: 5,
          messages,
          tools: [{ name: 'f' }],
          anthropic_version: 'bedrock-2023-05-31',
        },
      },
      framing: 'aws-event-stream',
    });
  });

  it('passes events on, and exceptions as errors', async () => {
    async function* events() {
      yield await Promise.resolve({ name: 'message_start', data: '{"type":"message_start"}' });
      yield { name: 'error', data: '{"type":"error","error":{"type":"overloaded_error"}}' };
      yield { name: 'internalServerException', data: '{"message":"oh"}' };
    }
    const seen = [];
    for await (const { name, data } of bedrockAnthropicCodec.decodeStream!(events(), call())) {
      seen.push([name, JSON.parse(data)]);
    }
    expect(seen).toEqual([
      ['message_start', { type: 'message_start' }],
      ['error', { type: 'error', error: { type: 'overloaded_error' } }],
      ['error', { type: 'error', error: { type: 'api_error', message: 'oh' } }],
    ]);
  });
});

describe('betas on Bedrock', () => {
  it('leaves out those that Bedrock would refuse the call for, and renames others', () => {
    const header =
      'claude-code-20250219,interleaved-thinking-2025-05-14, advanced-tool-use-2025-11-20,' +
      'interleaved-thinking-2025-05-14,oauth-2025-04-20,';
    expect(bedrockBetas(header)).toEqual([
      'interleaved-thinking-2025-05-14',
      'tool-search-tool-2025-10-19',
    ]);
    expect(bedrockBetas(undefined)).toEqual([]);
  });
});

describe("Bedrock's count of tokens", () => {
  const count = (name: string) => {
    const [sent] = bedrockCountTokens.encode({ ...call({ stream: true }), model: model(name) });
    const { body } = (sent!.body as { json: { input: { invokeModel: { body: string } } } }).json
      .input.invokeModel;
    return { path: sent!.path, body: JSON.parse(Buffer.from(body, 'base64').toString()) as object };
  };

  it('asks about the model behind a profile', () => {
    const { path, body } = count(CLAUDE);
    expect(path).toBe('/model/anthropic.claude-haiku-4-5-20251001-v1%3A0/count-tokens');
    expect(body).toMatchObject({ messages, anthropic_version: 'bedrock-2023-05-31' });
    expect(body).not.toHaveProperty('stream');
    expect(body).not.toHaveProperty('model');
    expect(count('arn:aws:bedrock:eu-west-1:1:inference-profile/eu.anthropic.claude-x').path).toBe(
      '/model/anthropic.claude-x/count-tokens',
    );
  });

  it('reads the count', () => {
    const reply = (body: unknown) =>
      [{ status: 200, headers: {}, bytes: Buffer.alloc(0), json: () => body }] as UpstreamReply[];
    const counting = { ...call() };
    expect(bedrockCountTokens.decode(reply({ inputTokens: 375 }), counting).result).toEqual({
      input_tokens: 375,
    });
    for (const body of [{}, null, { inputTokens: '3' }, { inputTokens: -1 }]) {
      expect(() => bedrockCountTokens.decode(reply(body), counting)).toThrow(
        expect.objectContaining({ status: 502 }),
      );
    }
  });
});

describe("AWS' errors", () => {
  const decode = (body: string, errortype?: string) =>
    decodeBedrockError({
      status: 400,
      headers: { 'x-amzn-errortype': errortype },
      bytes: Buffer.from(body),
      json: () => JSON.parse(body) as unknown,
    });

  it.each([
    ['{"message":"no"}', undefined, { message: 'no' }],
    [
      '{"message":"no"}',
      'ValidationException:http://internal.amazon.com/coral/com.amazon.bedrock/',
      { message: 'no', type: 'invalid_request_error', code: 'ValidationException' },
    ],
    [
      '{"Message":"no"}',
      'ThrottlingException',
      { message: 'no', type: 'rate_limit_error', code: 'ThrottlingException' },
    ],
    [
      '{"__type":"com.amazon.coral.service#ResourceNotFoundException","message":"no"}',
      undefined,
      { message: 'no', type: 'not_found_error', code: 'ResourceNotFoundException' },
    ],
    ['{"output":{"message":{}}}', undefined, undefined],
    ['<html>', 'X', undefined],
    ['null', undefined, undefined],
    ['[]', undefined, undefined],
  ])('reads %s of %s', (body, errortype, expected) => {
    expect(decode(body, errortype)).toEqual(expected);
  });
});
