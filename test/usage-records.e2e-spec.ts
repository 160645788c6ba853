import { describe, expect, it } from '@jest/globals';
import { request as httpRequest } from 'node:http';
import { Database } from '../src/database/database.service.js';
import { API_KEY } from './support/gateway.js';
import { useGatewayBefore, usualProviders } from './support/use-gateway.js';
import { requestRow } from './support/request-rows.js';
import { until } from './support/until.js';

const messages = [{ role: 'user', content: 'a secret prompt' }];
const model = 'anthropic/claude-sonnet-4-5';
const answer = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  content: [{ type: 'text', text: 'a secret answer' }],
  usage: {
    input_tokens: 10,
    output_tokens: 20,
    cache_read_input_tokens: 30,
    cache_creation_input_tokens: 40,
  },
};
const frame = (data: { type: string; [field: string]: unknown }) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const START = frame({
  type: 'message_start',
  message: { ...answer, content: [], usage: { input_tokens: 10, output_tokens: 1 } },
});
const TEXT = frame({
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'text_delta', text: 'x'.repeat(300) },
});

describe('usage records', () => {
  const gateway = useGatewayBefore((url) => ({
    ...usualProviders(url),
    ...{ DEEPSEEK_API_KEY: 'k', DEEPSEEK_BASE_URL: url, GOOGLE_API_KEY: 'k', GOOGLE_BASE_URL: url },
  }));
  const { upstream, post } = gateway;

  const rowOf = (id: string) => requestRow(gateway, id);
  const send = (id: string, path: string, body: object) => post(path, body).set('x-request-id', id);

  it('keeps tokens, cost, model, attempts and the caller’s marks, and nothing that was said', async () => {
    upstream.replies(200, answer);
    const metadata = { user_id: 'ann', team: 'blue' };
    await send('whole', '/v3/v1/messages', { model, messages, metadata }).expect(200);
    const row = await rowOf('whole');
    expect(row).toMatchObject({
      endpoint: '/v1/messages',
      requested_model: model,
      model,
      provider: 'anthropic',
      status: 200,
      outcome: 'ok',
      input_tokens: 10,
      output_tokens: 20,
      cache_read_tokens: 30,
      cache_write_tokens: 40,
      // 10 × 3 + 20 × 15 + 30 × 0.30 + 40 × 3.75 USD per million tokens, in 10^-12 USD
      cost_units: 489_000_000n,
      estimated: 0,
      user: 'ann',
      metadata: JSON.stringify(metadata),
    });
    expect(JSON.parse(row.attempts)).toMatchObject([{ model, provider: 'anthropic', status: 200 }]);
    const text = JSON.stringify(row, (_, value) =>
      typeof value === 'bigint' ? `${value}` : value,
    );
    expect(text).not.toContain('secret');
  });

  it('is there before the caller sees the end of a stream', async () => {
    upstream.streams(
      START,
      TEXT,
      frame({ type: 'message_delta', delta: {}, usage: { output_tokens: 9 } }),
      frame({ type: 'message_stop' }),
    );
    const seen = await new Promise<string>((resolve, reject) => {
      const caller = httpRequest(`${gateway.url}/v3/v1/messages`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${API_KEY}`,
          'content-type': 'application/json',
          'x-request-id': 'stream',
        },
      });
      caller.on('error', reject);
      caller.end(JSON.stringify({ model, messages, stream: true }));
      caller.once('response', (response) => {
        response.on('data', (chunk: Buffer) => {
          // No await between the last event and this look: the row must be there already.
          if (chunk.includes('message_stop'))
            rowOf('stream').then((row) => {
              resolve(row.outcome);
            }, reject);
        });
      });
    });
    expect(seen).toBe('ok');
    expect(await rowOf('stream')).toMatchObject({ output_tokens: 9, estimated: 0 });
  });

  it('counts for itself, and says so, where the provider reports nothing', async () => {
    upstream.replies(200, { ...answer, usage: undefined });
    const { body } = await send('unreported', '/v3/v1/messages', { model, messages }).expect(200);
    const row = await rowOf('unreported');
    expect(row.estimated).toBe(1);
    expect(row.input_tokens).toBeGreaterThan(0);
    expect(row.output_tokens).toBeGreaterThan(0);
    expect(body.usage).toEqual({
      input_tokens: row.input_tokens,
      output_tokens: row.output_tokens,
    });
    upstream.streams(
      START,
      TEXT,
      frame({ type: 'message_delta', delta: {} }),
      frame({ type: 'message_stop' }),
    );
    await send('half', '/v3/v1/messages', { model, messages, stream: true }).expect(200);
    expect(await rowOf('half')).toMatchObject({
      input_tokens: 10,
      output_tokens: 100,
      estimated: 1,
    });
  });

  it.each([
    [
      'deepseek/deepseek-v4-flash',
      { usage: { prompt_tokens: 10, completion_tokens: 1 } },
      (content: string, finish_reason: string | null) => ({
        choices: [{ index: 0, delta: { content }, finish_reason }],
      }),
    ],
    [
      'google/gemini-2.5-flash',
      { usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 1 } },
      (text: string, reason: string | null) => ({
        candidates: [{ content: { parts: [{ text }] }, finishReason: reason?.toUpperCase() }],
      }),
    ],
  ])('counts what %s says behind its last report', async (model, report, chunk) => {
    const said = [
      { ...chunk('x', null), ...report },
      chunk('x'.repeat(299), null),
      chunk('', 'stop'),
    ];
    const pieces = said.map((piece) => `data: ${JSON.stringify(piece)}\n\n`);
    const asked = { model, messages, stream: true };
    for (const path of ['/v3/v1/messages', '/v3/chat/completions']) {
      upstream.streams(...pieces);
      const id = `${model.split('/')[0]!}-${path.length}`;
      await send(id, path, asked).expect(200);
      expect(await rowOf(id)).toMatchObject({
        ...{ outcome: 'ok', estimated: 1, input_tokens: 10, output_tokens: 100 },
      });
    }
  });

  it('charges a caller who hangs up for what was produced', async () => {
    upstream.answers((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(START + TEXT);
    });
    const caller = httpRequest(`${gateway.url}/v3/v1/messages`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${API_KEY}`,
        'content-type': 'application/json',
        'x-request-id': 'hung-up',
      },
    });
    caller.on('error', () => undefined);
    caller.end(JSON.stringify({ model, messages, stream: true }));
    await new Promise<void>((resolve) => {
      caller.once('response', (response) => {
        response.on('error', () => undefined);
        response.once('data', () => {
          caller.destroy();
          resolve();
        });
      });
    });
    expect(await rowOf('hung-up')).toMatchObject({
      outcome: 'client_closed',
      input_tokens: 10,
      output_tokens: 100,
      estimated: 1,
    });
  });

  it('charges a caller who hangs up before the answer for the input', async () => {
    const arrived = new Promise<void>((resolve) => {
      upstream.answers(() => {
        resolve();
      });
    });
    const caller = httpRequest(`${gateway.url}/v3/v1/messages`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${API_KEY}`,
        'content-type': 'application/json',
        'x-request-id': 'left-early',
      },
    });
    caller.on('error', () => undefined);
    caller.end(JSON.stringify({ model, messages }));
    await arrived;
    caller.destroy();
    const row = await rowOf('left-early');
    expect(row).toMatchObject({
      outcome: 'client_closed',
      status: 499,
      output_tokens: 0,
      estimated: 1,
    });
    expect(row.input_tokens).toBeGreaterThan(0);
    await until(() => upstream.aborted > 0);
  });

  it('charges what a faster answer costs where the provider says that it was one', async () => {
    const usage = { ...answer.usage, speed: 'fast' };
    upstream.replies(200, { ...answer, usage });
    await send('fast', '/v3/v1/messages', { model, messages, speed: 'fast' }).expect(200);
    expect(await rowOf('fast')).toMatchObject({ input_tokens: 10, cost_units: 978_000_000n });
    upstream.answers((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(frame({ type: 'message_start', message: { ...answer, content: [], usage } }));
      const last = { output_tokens: 20 };
      response.write(frame({ type: 'message_delta', delta: {}, usage: last }));
      response.end(frame({ type: 'message_stop' }));
    });
    const streamed = { model, messages, speed: 'fast', stream: true };
    await send('fast-stream', '/v3/v1/messages', streamed).expect(200);
    expect(await rowOf('fast-stream')).toMatchObject({ cost_units: 978_000_000n });
  });

  it('keeps a call that costs more than the books can hold by its provider’s word', async () => {
    const usage = { ...answer.usage, server_tool_use: { web_search_requests: 1_000_000_000 } };
    upstream.replies(200, { ...answer, usage });
    const { body } = await send('absurd', '/v3/v1/messages', { model, messages }).expect(200);
    expect(body.cost).toBe(9_000_000);
    expect(await rowOf('absurd')).toMatchObject({
      ...{ outcome: 'ok', estimated: 1, input_tokens: 10, output_tokens: 20 },
      cost_units: 9_000_000_000_000_000_000n,
    });
  });

  it('charges nothing for failures and refusals, and keeps them', async () => {
    upstream.replies(529, {});
    const fallbacks = ['anthropic/claude-haiku-4-5'];
    await send('failed', '/v3/v1/messages', { model, messages, fallbacks }).expect(529);
    const failed = await rowOf('failed');
    expect(failed).toMatchObject({ outcome: 'error', status: 529, cost_units: 0n });
    expect(
      JSON.parse(failed.attempts).map((attempt: any) => [attempt.model, attempt.status]),
    ).toEqual([
      [model, 529],
      // The last one is asked again: an overloaded provider has done nothing.
      ...Array.from({ length: 3 }, () => [fallbacks[0], 529]),
    ]);
    await send('refused', '/v3/embeddings', { model: 'openai/nope', input: 'x' }).expect(404);
    expect(await rowOf('refused')).toMatchObject({ outcome: 'rejected', status: 404, model: null });
  });

  it('keeps the status that the caller got, also where that is not the provider’s', async () => {
    upstream.replies(529, {});
    await send('chat', '/v3/chat/completions', { model, messages }).expect(503);
    const row = await rowOf('chat');
    expect(row).toMatchObject({ outcome: 'error', status: 503 });
    expect(JSON.parse(row.attempts)).toMatchObject([{ status: 529 }, {}, {}]);
  });

  it('counts image tokens and images', async () => {
    upstream.replies(200, {
      created: 1,
      data: [{ b64_json: 'AAAA' }, { b64_json: 'AAAA' }],
      usage: { total_tokens: 70, input_tokens: 20, output_tokens: 50 },
    });
    const body = { model: 'openai/gpt-image-1', prompt: 'x', n: 2, user: 'bob' };
    await send('images', '/v3/images/generations', body).expect(200);
    expect(await rowOf('images')).toMatchObject({
      images: 2,
      input_tokens: 20,
      image_output_tokens: 50,
      user: 'bob',
    });
  });

  it('gives two calls with one request id two records', async () => {
    upstream.replies(200, answer);
    await send('twice', '/v3/v1/messages', { model, messages }).expect(200);
    await send('twice', '/v3/v1/messages', { model, messages }).expect(200);
    const rows = await gateway.app
      .get(Database)
      .read((kysely) =>
        kysely.selectFrom('requests').select('id').where('request_id', '=', 'twice').execute(),
      );
    expect(new Set(rows.map(({ id }) => id)).size).toBe(2);
  });
});
