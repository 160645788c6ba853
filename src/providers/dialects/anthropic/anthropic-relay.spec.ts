import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '../../../contract/gateway-error.js';
import { type Model } from '../../../contract/model.js';
import { NO_USAGE } from '../../../contract/usage.js';
import { type RawEvent, type RelayContext } from '../../provider.js';
import { anthropicRelay } from './anthropic-relay.js';

const call: RelayContext = {
  model: { id: 'anthropic/claude-x', name: 'claude-x' } as Model,
  place: {},
  headers: {},
  stream: true,
  body: {},
  created: 1,
};
const bill = {
  cost: '0.000012',
  provider: 'anthropic',
  usage: { ...NO_USAGE, inputTokens: 4, outputTokens: 9 },
};

function event(name: string | undefined, data: object | string): RawEvent {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  const head = name === undefined ? '' : `event: ${name}\n`;
  return { name, data: text, bytes: Buffer.from(`${head}data: ${text}\n\n`) };
}

const start = event('message_start', {
  type: 'message_start',
  message: { id: 'msg_1', model: 'claude-x', usage: { input_tokens: 10, output_tokens: 1 } },
});
const delta = (usage?: object) =>
  event('message_delta', { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage });
const stop = event('message_stop', { type: 'message_stop' });

function tap() {
  const stream = anthropicRelay.stream!(call);
  return { stream, take: (item: RawEvent) => stream.take(item)?.toString() };
}

describe('anthropicRelay', () => {
  it('asks by the bare name, with the caller’s version and betas or the oldest version', () => {
    expect(anthropicRelay.request(call)).toEqual({
      path: '/v1/messages',
      headers: { 'anthropic-version': '2023-06-01' },
      edits: new Map([['model', '"claude-x"']]),
    });
    const empty = { 'anthropic-version': '' };
    expect(anthropicRelay.request({ ...call, headers: empty }).headers).toEqual({
      'anthropic-version': '2023-06-01',
    });
    const headers = { 'anthropic-version': '2026-10-21', 'anthropic-beta': 'a,b', other: 'x' };
    expect(anthropicRelay.request({ ...call, headers }).headers).toEqual({
      'anthropic-version': '2026-10-21',
      'anthropic-beta': 'a,b',
    });
  });

  it('shows the full id in message_start and leaves the rest of it alone', () => {
    const { take } = tap();
    expect(take(start)).toBe(
      'event: message_start\ndata: {"type":"message_start","message":{"id":"msg_1",' +
        '"model":"anthropic/claude-x","usage":{"input_tokens":10,"output_tokens":1}}}\n\n',
    );
  });

  it('puts cost and provider into the last message_delta only', () => {
    const { stream, take } = tap();
    take(start);
    expect(take(delta({ output_tokens: 3 }))).toBeUndefined();
    expect(take(delta({ output_tokens: 7 }))).toContain('"usage":{"output_tokens":3}}');
    expect(take(stop)).toBeUndefined();
    expect(stream.state).toBe('ended');
    expect(stream.usage).toMatchObject({ inputTokens: 10, outputTokens: 7 });
    expect(stream.closing(bill).toString()).toBe(
      'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},' +
        '"usage":{"output_tokens":7,"cost":0.000012,"provider":"anthropic"}}\n\n' +
        'event: message_stop\ndata: {"type":"message_stop"}\n\n',
    );
  });

  it('makes a usage when the provider sent none', () => {
    const { stream, take } = tap();
    take(start);
    take(delta());
    take(stop);
    expect(stream.closing(bill).toString()).toContain(
      '"usage":{"cost":0.000012,"provider":"anthropic","output_tokens":9}',
    );
  });

  it.each([-12, 9007199254740993, 1.5, '7'])('puts our count in the place of %j', (count) => {
    const { stream, take } = tap();
    take(start);
    take(delta({ output_tokens: count, cache_read_input_tokens: count }));
    take(stop);
    expect(stream).toMatchObject({ isFinal: false, usage: undefined });
    expect(stream.closing(bill).toString()).toContain(
      '"usage":{"output_tokens":9,"cache_read_input_tokens":0,"cost":0.000012,',
    );
  });

  it.each([undefined, {}, { output_tokens: null }])(
    'keeps the last count that was told where the event behind it has %j',
    (usage) => {
      const { stream, take } = tap();
      take(start);
      take(delta({ output_tokens: 7 }));
      take(delta(usage));
      take(stop);
      expect(stream).toMatchObject({ isFinal: true, usage: { outputTokens: 7 } });
      expect(stream.closing(bill).toString()).toMatch(/"usage":\{[^}]*"output_tokens":9/);
    },
  );

  it('keeps what went in when the last event says that it was nothing', () => {
    const { stream, take } = tap();
    take(start);
    take(delta({ input_tokens: 0, output_tokens: 7 }));
    expect(stream.usage).toMatchObject({ inputTokens: 10, outputTokens: 7 });
  });

  it('tells our counts in the end when the beginning told none', () => {
    const message = { id: 'msg_1', usage: { input_tokens: -10, output_tokens: 1 } };
    const { stream, take } = tap();
    expect(take(event('message_start', { type: 'message_start', message }))).toContain(
      '"usage":{"input_tokens":0,"output_tokens":1}',
    );
    take(delta({ output_tokens: -3 }));
    expect(take(delta({ output_tokens: 12 }))).toContain('"usage":{"output_tokens":0}}');
    take(stop);
    expect(stream.usage).toBeUndefined();
    expect(stream.closing(bill).toString()).toMatch(/"output_tokens":9,.*"input_tokens":4\}/);
    const bare = event('message_start', { type: 'message_start', message: { id: 'msg_1' } });
    expect(tap().take(bare)).toContain('"usage":{"input_tokens":0,"output_tokens":0}');
  });

  it.each([
    ['a delta', delta({ output_tokens: 1 })],
    ['its end', stop],
    ['an empty beginning', event('message_start', { type: 'message_start' })],
  ])('refuses an answer that begins with %s', (_, first) => {
    const { take } = tap();
    take(event('ping', { type: 'ping' }));
    expect(() => take(first)).toThrow(GatewayError);
  });

  it('lets unknown events and pings inside of a message pass, names events that have no name, drops noise', () => {
    const { take } = tap();
    expect(take(event('ping', { type: 'ping' }))).toBeUndefined();
    take(start);
    expect(take(event('ping', { type: 'ping' }))).toBe('event: ping\ndata: {"type":"ping"}\n\n');
    expect(take(event('new_thing', { type: 'new_thing', x: 1 }))).toContain('event: new_thing\n');
    expect(take(event(undefined, { type: 'ping' }))).toBe('event: ping\ndata: {"type":"ping"}\n\n');
    expect(take(event(undefined, 'oops'))).toBeUndefined();
  });

  it('shows a caller that the provider is there when it pings on and on', () => {
    const { take } = tap();
    const ping = () => take(event('ping', { type: 'ping' }));
    expect([ping(), ping(), ping()]).toEqual([undefined, undefined, undefined]);
    expect([ping(), ping()]).toEqual(Array(2).fill('event: ping\ndata: {"type":"ping"}\n\n'));
    expect(take(start)).toContain('message_start');
  });

  it('keeps what it does not know for behind the beginning, unless there is too much of it', () => {
    const unknown = (filler = '') => event('new_thing', { type: 'new_thing', filler });
    const { take } = tap();
    expect([take(unknown()), take(unknown())]).toEqual([undefined, undefined]);
    expect(take(start)).toMatch(
      /^event: message_start\n[^\n]+\n\n(event: new_thing\n[^\n]+\n\n){2}$/,
    );
    expect(take(unknown())).toMatch(/^event: new_thing\n/);
    const other = tap();
    const told = Array.from(
      { length: 4 },
      () => other.take(unknown())?.match(/"new_thing"/g)?.length,
    );
    expect(told).toEqual([undefined, undefined, undefined, 4]);
    expect(tap().take(unknown('x'.repeat(70_000)))).toContain('xxx');
  });

  it('counts the bytes of text, tool input and thinking, not of signatures', () => {
    const { stream, take } = tap();
    take(start);
    const piece = (fields: object) =>
      take(event('content_block_delta', { type: 'content_block_delta', index: 0, delta: fields }));
    piece({ type: 'text_delta', text: 'hé "x"' });
    piece({ type: 'input_json_delta', partial_json: '{"a"' });
    piece({ type: 'thinking_delta', thinking: 'hm' });
    piece({ type: 'signature_delta', signature: 'x'.repeat(500) });
    expect(stream.outputBytes).toBeGreaterThanOrEqual(7 + 4 + 2);
    expect(stream.outputBytes).toBeLessThan(30);
  });

  it('notices an error event', () => {
    const { stream, take } = tap();
    take(event('error', { type: 'error', error: { type: 'overloaded_error', message: 'Busy' } }));
    expect(stream.state).toBe('failed');
    expect(stream.error).toEqual({ type: 'overloaded_error', message: 'Busy' });
  });

  it('reads a whole reply: usage with both cache writes, errors, and what is neither', () => {
    const reply = (body: unknown) => anthropicRelay.reply(Buffer.from(JSON.stringify(body)), call);
    const usage = {
      input_tokens: 3,
      output_tokens: 5,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 60,
      cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 40 },
    };
    expect(reply({ content: [], usage })?.usage).toEqual({
      ...NO_USAGE,
      inputTokens: 3,
      outputTokens: 5,
      cacheReadTokens: 100,
      cacheWriteTokens: 20,
      cacheWrite1hTokens: 40,
    });
    expect(reply({ type: 'error', error: { type: 'a', message: 'b' } })?.error?.message).toBe('b');
    expect(reply({ content: [], usage })?.usageOf).toBeUndefined();
    const wrong = reply({ content: [], usage: { input_tokens: -1, output_tokens: 1 } });
    expect(wrong?.usage).toBeUndefined();
    expect(wrong?.usageOf?.(bill.usage)).toMatchObject({ input_tokens: 4, output_tokens: 9 });
    const odd = reply({ content: [], usage: { ...usage, cache_read_input_tokens: -100 } });
    expect(odd?.usage).toBeUndefined();
    expect(odd?.usageOf?.({ ...bill.usage, cacheReadTokens: 0 })).toMatchObject({
      input_tokens: 4,
    });
    expect(reply({ hello: 1 })).toBeUndefined();
    expect(anthropicRelay.reply(Buffer.from('<html>'), call)).toBeUndefined();
  });
});
