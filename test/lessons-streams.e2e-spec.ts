import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { API_KEY } from './support/gateway.js';
import {
  ask,
  chunk,
  CLAUDE,
  DONE,
  EVERY,
  eventsIn,
  GEMINI,
  GPT,
  messageIn,
  NOVA,
  TRANSLATED,
} from './support/lessons.js';
import { MODELS, useScriptedGateway } from './support/scripted-upstream.js';
import { anthropicWire } from './support/scripted-upstream-anthropic.js';
import { converseWire } from './support/scripted-upstream-converse.js';
import { sse, USED } from './support/scripted-upstream-wire.js';
import { until } from './support/until.js';
import { requestRow } from './support/request-rows.js';

const MESSAGES = '/v3/v1/messages';
const stream = true;
const SURFACES = [
  ['Messages', MESSAGES, { max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] }],
  ['chat', '/v3/chat/completions', { messages: [{ role: 'user', content: 'Hello' }] }],
  ['Responses', '/v3/responses', { input: 'Hello' }],
] as const;

describe('what users of other gateways found untrue of streams', () => {
  const gateway = useScriptedGateway();
  const { scripted, post } = gateway;

  it.each(EVERY)(
    'mnfst/llm-gateway#2033: a streamed call shows no tokens (%s)',
    async (_, model) => {
      scripted.plays([{ text: 'Hi' }]);
      const id = randomUUID();
      await post(MESSAGES, ask(model, { stream })).set('x-request-id', id).expect(200);
      const row = await requestRow(gateway, id);
      expect(row).toMatchObject({ outcome: 'ok', ...COUNTED });
      // Cohere gives the last of them away.
      if (model !== MODELS.cohere) expect(row.cost_units).toBeGreaterThan(0n);
    },
  );

  const ends = SURFACES.flatMap(([surface, path, fields]) =>
    EVERY.map(([format, model]) => [surface, format, path, { ...fields, model, stream }] as const),
  );
  it.each(ends)(
    'dativo-io/talon#254: the end of a stream that dies, in the caller’s format (%s, %s)',
    async (surface, _, path, body) => {
      scripted.plays([{ text: 'Half of it' }, { error: 'the machine is gone' }]);
      const { text: streamed } = await post(path, body).expect(200);
      const events = eventsIn(streamed);
      const names = events.map(({ name, data }) => name ?? (data.error ? 'error' : data));
      if (surface === 'Responses') expect(names.at(-1)).toMatch(/^(error|response\.failed)$/);
      else expect(names.at(-1)).toBe('error');
      for (const end of ['message_stop', '[DONE]', 'response.completed']) {
        expect(names).not.toContain(end);
      }
      expect(streamed).toContain('Half');
    },
  );
});

describe('a translated stream that its provider breaks off', () => {
  const { scripted, post } = useScriptedGateway();

  it.each(TRANSLATED)(
    'names the request, and not what failed at the provider (%s)',
    async (_, model) => {
      scripted.plays([{ text: 'Half of it' }, { error: 'node 7 is gone' }]);
      const reply = await post(MESSAGES, ask(model, { stream })).expect(200);
      const { data } = eventsIn(reply.text).at(-1)!;
      expect(data).toMatchObject({ type: 'error', request_id: reply.headers['request-id'] });
      expect(data.error.message).toMatch(/^The provider \w+ /);
      expect(reply.text).not.toContain('node 7');
    },
  );
});

describe('what users of other gateways found untrue of streams, piece by piece', () => {
  const gateway = useScriptedGateway({ STREAM_PING_MS: '60000' });
  const { upstream, post } = gateway;
  const usageOf = async (model: string, ...pieces: string[]) => {
    upstream.streams(...pieces);
    const { text: streamed } = await post(MESSAGES, ask(model, { stream })).expect(200);
    return (await messageIn(streamed)).usage;
  };
  /** Everything that a provider streams but for its last pieces, and then nothing. */
  const cut = (pieces: readonly (string | Buffer)[], mediaType = 'text/event-stream') => {
    upstream.answers((response) => {
      response.writeHead(200, { 'content-type': mediaType });
      for (const piece of pieces) response.write(piece);
      response.end();
    });
  };

  it('envoyproxy/ai-gateway#2290: message_delta without input and cache', async () => {
    const details = { prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 } };
    const usage = { prompt_tokens: 100, completion_tokens: 5, total_tokens: 105, ...details };
    expect(
      await usageOf(GPT, chunk({ content: 'Hi' }, 'stop'), chunk({}, null, { usage }), DONE),
    ).toMatchObject({
      input_tokens: 30,
      output_tokens: 5,
      cache_read_input_tokens: 60,
      cache_creation_input_tokens: 10,
    });
  });

  it('8monkey-ai/hebo-gateway#187: message_delta without what the cache gave', async () => {
    const usageMetadata = {
      promptTokenCount: 100,
      cachedContentTokenCount: 60,
      candidatesTokenCount: 5,
    };
    const candidates = [{ content: { parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }];
    expect(await usageOf(GEMINI, sse({ candidates, usageMetadata }))).toMatchObject({
      input_tokens: 40,
      output_tokens: 5,
      cache_read_input_tokens: 60,
    });
  });

  it('tensorzero/tensorzero#5481: counts so far are added up', async () => {
    const sofar = (completion_tokens: number) => ({
      usage: { prompt_tokens: 10, completion_tokens },
    });
    const chunks = [1, 2, 3].map((count) => chunk({ content: 'x' }, null, sofar(count)));
    const counted = await usageOf(GPT, ...chunks, chunk({}, 'stop', sofar(4)), DONE);
    expect(counted).toMatchObject({ input_tokens: 10, output_tokens: 4 });
  });

  it('L#32159: a cut stream of Bedrock’s looks like its normal end', async () => {
    const whole = converseWire.stream([{ text: 'Half of it' }], { messages: [] });
    cut(whole.slice(0, -2), converseWire.mediaType);
    const { text: streamed } = await post(MESSAGES, ask(NOVA, { stream })).expect(200);
    const names = eventsIn(streamed).map(({ name }) => name);
    expect(names.at(-1)).toBe('error');
    expect(names).not.toContain('message_stop');
  });

  it.each([
    ['ended', false],
    ['torn', true],
  ])('preloop/preloop#117: a %s stream is silently short', async (_, isTorn) => {
    upstream.answers((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk({ content: 'Half of it' }), () => {
        if (isTorn) response.destroy();
        else response.end();
      });
    });
    const { text: streamed } = await post(MESSAGES, ask(GPT, { stream })).expect(200);
    expect(eventsIn(streamed).at(-1)).toMatchObject({ name: 'error', data: { type: 'error' } });
  });

  it('pleaseai/shunt#310: nothing tells of streams that were cut before message_stop', async () => {
    cut(anthropicWire.stream([{ text: 'Half of it' }], { messages: [] }).slice(0, -1));
    const id = randomUUID();
    const { text: streamed } = await post(MESSAGES, ask(CLAUDE, { stream })).set(
      'x-request-id',
      id,
    );
    expect(eventsIn(streamed).at(-1)!.name).toBe('error');
    expect(await requestRow(gateway, id)).toMatchObject({ outcome: 'error' });
  });

  /** Calls, waits until the provider has the request (or the caller a first piece), and leaves. */
  async function leave(body: object): Promise<string> {
    const id = randomUUID();
    const caller = new AbortController();
    const before = upstream.received.length;
    const call = fetch(`${gateway.url}${MESSAGES}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${API_KEY}`,
        'content-type': 'application/json',
        'x-request-id': id,
      },
      body: JSON.stringify(body),
      signal: caller.signal,
    }).then(async (reply) => {
      await reply.body!.getReader().read();
    });
    call.catch(() => undefined);
    await until(() => upstream.received.length > before);
    if ('stream' in body) await call;
    caller.abort();
    return id;
  }

  it.each(EVERY.filter(([, model]) => model !== NOVA))(
    'L#37140: calls that do not stream are never cancelled (%s)',
    async (_, model) => {
      upstream.answers(() => undefined);
      const before = upstream.aborted;
      const id = await leave(ask(model));
      await until(() => upstream.aborted > before);
      expect(await requestRow(gateway, id)).toMatchObject({ outcome: 'client_closed' });
    },
  );

  it.each([
    ['L#13774 and L#17364: a caller who left is not noticed', GPT],
    ['L#37558: a cancelled Messages stream costs nothing in the log', CLAUDE],
  ])('%s', async (_, model) => {
    const pieces = {
      [GPT]: [chunk({ role: 'assistant', content: 'x'.repeat(400) })],
      [CLAUDE]: anthropicWire.stream([{ text: 'x'.repeat(400) }], { messages: [] }).slice(0, -3),
    };
    upstream.answers((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const piece of pieces[model]!) response.write(piece);
    });
    const before = upstream.aborted;
    const id = await leave(ask(model, { stream }));
    await until(() => upstream.aborted > before);
    const row = await requestRow(gateway, id);
    expect(row.outcome).toBe('client_closed');
    expect(row.output_tokens).toBeGreaterThan(10);
    expect(row.cost_units).toBeGreaterThan(0n);
  });

  it('L#13245: what Bedrock charges is lost when the caller leaves', async () => {
    const whole = converseWire.stream([{ text: 'Half of it' }], { messages: [] });
    let finish!: () => void;
    upstream.answers((response) => {
      response.writeHead(200, { 'content-type': converseWire.mediaType });
      for (const piece of whole.slice(0, -2)) response.write(piece);
      finish = () => response.end(Buffer.concat(whole.slice(-2) as Buffer[]));
    });
    const id = await leave(ask(NOVA, { stream }));
    setTimeout(() => {
      finish();
    }, 100);
    const row = await requestRow(gateway, id);
    expect(row).toMatchObject(COUNTED);
    expect(row.cost_units).toBeGreaterThan(0n);
  });
});

const COUNTED = { input_tokens: USED.input, output_tokens: USED.output };
