import { describe, expect, it } from '@jest/globals';
import { Readable } from 'node:stream';
import { modelNamed } from '../../../../test/support/translation.js';
import { NO_USAGE } from '../../../contract/usage.js';
import { type CallContext, type ServerEvent } from '../../provider.js';
import { anthropicCodec } from './anthropic-codec.js';

const context = (request: object = {}, stream = false): CallContext<'messages'> => ({
  request: { model: 'anthropic/claude-x', messages: [], ...request },
  model: modelNamed('anthropic/claude-x', { maxOutputTokens: 64_000 }),
  place: {},
  headers: { authorization: 'Bearer of-the-caller', 'anthropic-beta': 'b' },
  stream,
  inputEstimate: 11,
  id: 'req_1',
  created: 0,
});
const decode = (text: string) => {
  const bytes = Buffer.from(text);
  const reply = { status: 200, headers: {}, bytes, json: () => JSON.parse(text) as unknown };
  return anthropicCodec.decode([reply], context());
};

describe('anthropic codec', () => {
  it('sends Anthropic’s own fields, without what it would refuse or what the gateway is told', () => {
    const asked = { max_tokens: 5, system: 'S', service_tier: 'auto', top_k: null };
    const foreign = { seed: 1, presence_penalty: 0.5, safe_prompt: true };
    const gateway = { fallbacks: ['a/b'], router_candidates: [], extra_headers: { a: 'b' } };
    expect(
      anthropicCodec.encode(context({ ...asked, ...foreign, ...gateway, stream: true })),
    ).toEqual([
      {
        path: '/v1/messages',
        headers: { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'b' },
        body: {
          json: {
            model: 'claude-x',
            messages: [],
            max_tokens: 5,
            system: 'S',
            service_tier: 'auto',
          },
        },
        framing: 'none',
      },
    ]);
  });

  it('gives the model’s own limit to a caller who named none, and asks for a stream', () => {
    const [call] = anthropicCodec.encode(context({}, true));
    expect(call).toMatchObject({
      body: { json: { max_tokens: 64_000, stream: true } },
      framing: 'sse',
    });
  });

  it('reads the answer and its tokens', () => {
    const message = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-x-2026',
      content: [{ type: 'text', text: 'Hi' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 3, output_tokens: 4, cache_read_input_tokens: 5 },
    };
    expect(decode(JSON.stringify(message))).toEqual({
      result: { ...message, model: 'anthropic/claude-x' },
      usage: { ...NO_USAGE, inputTokens: 3, outputTokens: 4, cacheReadTokens: 5 },
    });
  });

  it.each(['<html>', 'null', '{}', '{"content":"x"}'])('fails with 502 on %s', (text) => {
    expect(() => decode(text)).toThrow(
      expect.objectContaining({ status: 502, code: 'upstream_error' }),
    );
  });

  it('breaks off behind an event that is cut', async () => {
    const whole = { name: 'content_block_delta', data: '{}' };
    const events = Readable.from([whole, { ...whole, data: '{"type":' }, whole]);
    const stream = anthropicCodec.decodeStream!(events, context())[Symbol.asyncIterator]();
    expect(await stream.next()).toEqual({ done: false, value: whole });
    await expect(stream.next()).rejects.toMatchObject({ status: 502 });
  });

  it('lets the events of a stream pass', async () => {
    const events = [
      { name: 'message_start', data: '{"type":"message_start"}' },
      { name: 'unknown', data: '{}' },
    ];
    const seen: ServerEvent[] = [];
    for await (const event of anthropicCodec.decodeStream!(Readable.from(events), context())) {
      seen.push(event);
    }
    expect(seen).toEqual(events);
  });
});
