import { describe, expect, it } from '@jest/globals';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { RECORDED_FOLDER } from '../../../../test/support/recorded-corpus.js';
import { type Model } from '../../../contract/model.js';
import { NO_USAGE } from '../../../contract/usage.js';
import { sseFrames } from '../../../upstream/sse-frames.js';
import { type RawEvent, type RelayContext } from '../../provider.js';
import { responsesRelay } from './responses-relay.js';

const call: RelayContext = {
  model: { id: 'openai/gpt-x', name: 'gpt-x', provider: 'openai', capabilities: {} } as Model,
  place: {},
  headers: {},
  stream: true,
  body: { stream: true },
  created: 7,
};
const bill = {
  cost: '0.5',
  provider: 'openai',
  usage: { ...NO_USAGE, inputTokens: 4, outputTokens: 9 },
};
const event = (data: { type: string; [field: string]: unknown }, isNamed = true): RawEvent => {
  const text = JSON.stringify(data);
  const head = isNamed ? `event: ${data.type}\n` : '';
  return {
    name: isNamed ? data.type : undefined,
    data: text,
    bytes: Buffer.from(`${head}data: ${text}\n\n`),
  };
};
const usage = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 60 },
  output_tokens: 9,
};
const response = (status: string, more: object = {}) => ({
  id: 'resp_1',
  big: 1e21,
  model: 'gpt-x-2026',
  status,
  output: [],
  ...more,
});
const created = event({ type: 'response.created', response: response('in_progress') });
const delta = event({ type: 'response.output_text.delta', delta: 'Hé "x"' });
const completed = event({
  type: 'response.completed',
  response: response('completed', { usage }),
});

describe('responsesRelay', () => {
  it('changes only the model in the request', () => {
    const { path, edits } = responsesRelay.request(call);
    expect(path).toBe('/responses');
    expect([...edits]).toEqual([['model', '"gpt-x"']]);
  });

  it('asks for reasoning that can come back where the caller counts on its being stored', () => {
    const model = { ...call.model, capabilities: { supports_reasoning: true } };
    const included = (body: object) =>
      responsesRelay.request({ ...call, model, body: { ...body } }).edits.get('include');
    expect(included({ include: ['x'] })).toBe('["x","reasoning.encrypted_content"]');
    expect(included({ include: null })).toBe('["reasoning.encrypted_content"]');
    expect(included({ store: false })).toBeUndefined();
  });

  it('sends back OpenAI its own reasoning only, without our mark', () => {
    const said = { type: 'message', role: 'user', content: 'Hi' };
    const reasoning = (encrypted_content: string) => ({
      type: 'reasoning',
      id: 'rs_1',
      summary: [],
      encrypted_content,
    });
    const input = [
      said,
      reasoning('gAAAA'),
      reasoning('cw1.thinking.cw1.openai.gBBBB'),
      reasoning('cw1.thinking.EqQBClaude'),
      reasoning('cw1.redacted.abc'),
      reasoning('cw1.redacted.cw1.openai.gCCCC'),
    ];
    const { edits } = responsesRelay.request({ ...call, body: { input } });
    expect(JSON.parse(edits.get('input')!)).toEqual([
      said,
      reasoning('gAAAA'),
      { type: 'reasoning', summary: [], encrypted_content: 'gBBBB' },
      { type: 'reasoning', summary: [], encrypted_content: 'gCCCC' },
    ]);
    const untouched = { input: [said, reasoning('gAAAA')] };
    expect(responsesRelay.request({ ...call, body: untouched }).edits.has('input')).toBe(false);
  });

  it('keeps what OpenAI and Azure encrypted apart, as far as marks tell', () => {
    const proofs = ['gAAAA', 'cw1.thinking.cw1.openai.gB', 'cw1.thinking.cw1.azure-openai.gC'];
    const input = proofs.map((encrypted_content) => ({ type: 'reasoning', encrypted_content }));
    const sentTo = (provider: string) => {
      const model = { ...call.model, provider };
      const { edits } = responsesRelay.request({ ...call, model, body: { input } });
      const items = JSON.parse(edits.get('input')!) as { encrypted_content: string }[];
      return items.map((item) => item.encrypted_content);
    };
    expect(sentTo('openai')).toEqual(['gAAAA', 'gB']);
    expect(sentTo('azure-openai')).toEqual(['gAAAA', 'gC']);
  });

  it('reads the usage of a whole answer', () => {
    const bytes = Buffer.from(JSON.stringify(response('completed', { usage, error: null })));
    const reply = responsesRelay.reply(bytes, call);
    expect(reply?.usage).toMatchObject({ inputTokens: 40, cacheReadTokens: 60, outputTokens: 9 });
    expect([...(reply?.splices ?? [])]).toEqual([['model', '"openai/gpt-x"']]);
    expect(reply?.usageOf).toBeUndefined();
  });

  it('makes usage where there is none, and knows an error dressed as success', () => {
    const none = responsesRelay.reply(Buffer.from('{"output":[{"text":"abc"}]}'), call);
    expect(none?.usage).toBeUndefined();
    expect(none?.outputBytes).toBeGreaterThan(0);
    expect(none?.usageOf?.(bill.usage)).toMatchObject({ input_tokens: 4, output_tokens: 9 });
    const failed = responsesRelay.reply(
      Buffer.from('{"output":[],"error":{"message":"boom"}}'),
      call,
    );
    expect(failed?.error).toMatchObject({ message: 'boom' });
    for (const text of ['nonsense', '{}', '[]', 'null', '{"output":1}']) {
      expect(responsesRelay.reply(Buffer.from(text), call)).toBeUndefined();
    }
  });

  it('passes events on as they are, but for the model and the bill', () => {
    for (const isNamed of [true, false]) {
      const tap = responsesRelay.stream!(call);
      const named = [created, delta, completed].map(({ data }) =>
        event(JSON.parse(data) as { type: string }, isNamed),
      );
      const [first, second, last] = named.map((one) => tap.take(one)?.toString());
      expect(first).toBe(named[0]!.bytes.toString().replace('gpt-x-2026', 'openai/gpt-x'));
      expect(second).toBe(named[1]!.bytes.toString());
      expect(last).toBeUndefined();
      expect(tap.state).toBe('ended');
      expect(tap.usage).toMatchObject({ inputTokens: 40, outputTokens: 9 });
      expect(tap.outputBytes).toBeGreaterThan(5);
      const closing = tap.closing(bill).toString();
      expect(closing.startsWith(isNamed ? 'event: response.completed\ndata: {' : 'data: {')).toBe(
        true,
      );
      expect(JSON.parse(closing.slice(closing.indexOf('{')))).toEqual({
        type: 'response.completed',
        response: {
          ...response('completed', { usage }),
          model: 'openai/gpt-x',
          cost: 0.5,
          provider: 'openai',
        },
      });
    }
  });

  it('makes usage where the provider sent none, also of an answer that was cut short', () => {
    const tap = responsesRelay.stream!(call);
    tap.take(event({ type: 'response.incomplete', response: response('incomplete') }));
    expect(tap).toMatchObject({ state: 'ended', usage: undefined });
    expect(tap.closing(bill).toString()).toContain('"usage":{"input_tokens":4,');
  });

  it('puts our count in the place of one that is none', () => {
    const wrong = { ...usage, output_tokens: -9, total_tokens: 91 };
    const tap = responsesRelay.stream!(call);
    tap.take(
      event({ type: 'response.completed', response: response('completed', { usage: wrong }) }),
    );
    const { response: told } = JSON.parse(tap.closing(bill).toString().split('data: ')[1]!);
    expect(told.usage).toMatchObject({ input_tokens: 4, output_tokens: 9, total_tokens: 13 });
    const whole = responsesRelay.reply(
      Buffer.from(JSON.stringify(response('completed', { usage: wrong }))),
      call,
    );
    const cached = { ...bill.usage, cacheReadTokens: 6 };
    expect(whole?.usageOf?.(cached)).toMatchObject({
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 6 },
      total_tokens: 19,
    });
  });

  it.each(['[DONE]', 'null', '', '<html>'])('keeps %j back, which clients cannot read', (data) => {
    const tap = responsesRelay.stream!(call);
    tap.take(created);
    expect(tap.take({ name: undefined, data, bytes: Buffer.from(`data: ${data}\n\n`) })).toBe(
      undefined,
    );
    expect(tap.state).toBe('open');
  });

  it.each([
    event({ type: 'error', message: 'boom', code: 'server_error' }),
    event({
      type: 'response.failed',
      response: response('failed', { error: { message: 'boom' } }),
    }),
  ])('tells a failure and passes it on', (failure) => {
    const tap = responsesRelay.stream!(call);
    expect(tap.take(failure)?.toString()).toContain('boom');
    expect(tap).toMatchObject({ state: 'failed', error: { message: 'boom' } });
  });

  it('stays open when the stream breaks off', () => {
    const tap = responsesRelay.stream!(call);
    tap.take(created);
    tap.take(delta);
    expect(tap).toMatchObject({ state: 'open', complete: false });
  });
});

interface Recorded {
  readonly id: string;
  readonly response: { readonly sse?: readonly string[] };
}

type Wire = Record<string, any>;

const objectsIn = (text: string): Wire[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)) as Wire);

const withCorpus = existsSync(RECORDED_FOLDER) ? describe : describe.skip;

withCorpus('responsesRelay: recorded answers (skipped without ../shared)', () => {
  const streams = globSync(join(RECORDED_FOLDER, '*', 'responses', '*.json'))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')) as Recorded)
    .filter(({ response: { sse } }) => sse);

  it('changes nothing but the model and the bill', async () => {
    expect(streams.length).toBeGreaterThan(0);
    for (const { id, response: recorded } of streams) {
      const text = `${recorded.sse?.join('\n')}\n\n`;
      const tap = responsesRelay.stream!(call);
      const sent: (Buffer | undefined)[] = [];
      for await (const batch of sseFrames(Readable.from([Buffer.from(text)]))) {
        for (const one of batch) if (tap.state === 'open') sent.push(tap.take(one));
      }
      sent.push(tap.closing(bill));
      const got = objectsIn(sent.join(''));
      const wanted = objectsIn(text).map(({ response: inner, ...rest }, index, all) => {
        const billed = index === all.length - 1 && { cost: 0.5, provider: 'openai' };
        return inner ? { ...rest, response: { ...inner, model: 'openai/gpt-x', ...billed } } : rest;
      });
      expect({ id, state: tap.state, got }).toEqual({ id, state: 'ended', got: wanted });
      expect(tap.usage).toBeDefined();
      expect(tap.outputBytes).toBeGreaterThan(0);
    }
  });
});
