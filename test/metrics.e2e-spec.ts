import { describe, expect, it } from '@jest/globals';
import SqliteFile from 'better-sqlite3';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Metrics } from '../src/telemetry/metrics.service.js';
import { fundedAccount } from './support/credit.js';
import { temporaryDirectory } from './support/databases.js';
import { API_KEY, startGateway } from './support/gateway.js';
import { metric } from './support/metric.js';
import { CHUNKS } from './support/provider-answers.js';
import { until } from './support/until.js';
import { useGateway } from './support/use-gateway.js';

const messages = [{ role: 'user', content: 'canary-prompt-8211' }];
const answer = {
  id: 'm',
  type: 'message',
  role: 'assistant',
  content: [],
  usage: { input_tokens: 100, output_tokens: 50 },
};

describe('GET /metrics', () => {
  const gateway = useGateway({ BREAKER: 'on' });
  const scrape = async () => (await fetch(`${gateway.url}/metrics`)).text();
  const value = (series: string) => metric(gateway, series);

  it('has every metric that the documentation names', async () => {
    const text = await scrape();
    const documented = readFileSync('docs/operations.md', 'utf8').match(/causeway_[a-z_]+/g) ?? [];
    const isServed = (name: string) => text.includes(`# HELP ${name} `);
    // A member of answers has such a name, too.
    const missing = documented.filter((name) => name !== 'causeway_metadata' && !isServed(name));
    expect(documented.length).toBeGreaterThan(10);
    expect(missing).toEqual([]);
  });

  it('counts a call with its model, tokens, cost and try, and times it', async () => {
    gateway.upstream.replies(200, answer);
    await gateway.post('/v3/v1/messages', { model: 'anthropic/claude-haiku-4-5', messages });
    const model = 'model="anthropic/claude-haiku-4-5"';
    const of = `provider="anthropic",${model}`;
    await until(async () => (await value(`causeway_cost_usd_total{${of}}`)) > 0);
    expect(await value(`causeway_cost_usd_total{${of}}`)).toBeCloseTo(0.00035, 9);
    expect(await value(`causeway_tokens_total{${of},direction="input"}`)).toBe(100);
    expect(await value(`causeway_tokens_total{${of},direction="output"}`)).toBe(50);
    expect(await value(`causeway_calls_total{endpoint="/v1/messages",${of},outcome="ok"}`)).toBe(1);
    const tries = 'causeway_upstream_attempts_total{provider="anthropic",status="2xx"}';
    expect(await value(tries)).toBe(1);
    expect(await value('causeway_call_duration_seconds_count{provider="anthropic"}')).toBe(1);
    const requests = 'method="POST",route="/v3/v1/messages",status="2xx"';
    await until(async () => (await value(`causeway_http_requests_total{${requests}}`)) === 1);
  });

  it('counts a call once whose end neither the database nor the disk can take', async () => {
    const dataDir = temporaryDirectory();
    const own = await startGateway({
      DATA_DIR: dataDir,
      ANTHROPIC_API_KEY: 'k',
      ANTHROPIC_BASE_URL: gateway.upstream.url,
    });
    writeFileSync(join(dataDir, 'outbox'), 'no directory');
    const locking = new SqliteFile(join(dataDir, 'causeway.db'));
    gateway.upstream.answers((response) => {
      locking.exec('begin exclusive');
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer));
    });
    const body = { model: 'anthropic/claude-haiku-4-5', max_tokens: 9, messages };
    const sent = await fetch(`${own.url}/v3/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(sent.status).toBe(503);
    const of = `endpoint="/v1/messages",provider="anthropic",model="${body.model}"`;
    expect(await metric(own, `causeway_calls_total{${of},outcome="ok"}`)).toBe(1);
    expect(await metric(own, `causeway_calls_total{${of},outcome="error"}`)).toBe(0);
    locking.close();
    await own.close();
  });

  it('counts a stream that breaks off as no whole answer', async () => {
    gateway.upstream.answers((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(CHUNKS.slice(0, CHUNKS.indexOf('\n\n') + 2));
    });
    const stream = { model: 'openai/gpt-4o-mini', messages, stream: true };
    await gateway.post('/v3/chat/completions', stream);
    const tries = (status: string) =>
      value(`causeway_upstream_attempts_total{provider="openai",status="${status}"}`);
    await until(async () => (await tries('none')) === 1);
    expect(await tries('2xx')).toBe(0);
  });

  it('times the first byte of a stream', async () => {
    const stream = { model: 'sandbox/echo', messages, stream: true };
    await gateway.post('/v3/v1/messages', stream);
    expect(await value('causeway_call_first_byte_seconds_count{provider="sandbox"}')).toBe(1);
  });

  it('tells a refusal of the gateway from one of a provider', async () => {
    const account = await fundedAccount({ app: gateway.app }, 1n);
    const send = (key: string) =>
      fetch(`${gateway.url}/v3/v1/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'sandbox/echo', messages }),
      });
    expect((await send(account.key)).status).toBe(402);
    await until(async () => (await value('causeway_credit_refusals_total')) === 1);
    gateway.upstream.replies(429, { error: { message: 'slow down' } });
    await gateway.post('/v3/v1/messages', { model: 'anthropic/claude-haiku-4-5', messages });
    const tries = 'causeway_upstream_attempts_total{provider="anthropic",status="429"}';
    await until(async () => (await value(tries)) > 0);
    expect(await value('causeway_rate_limited_total')).toBe(0);
  });

  it('shows the circuit of a model that fails', async () => {
    gateway.upstream.replies(500, {});
    for (let call = 0; call < 25; call++) {
      await gateway.post('/v3/v1/messages', { model: 'anthropic/claude-sonnet-4-5', messages });
    }
    expect(await value('causeway_circuit_open{model="anthropic/claude-sonnet-4-5"}')).toBe(1);
  });

  it('shows the process: requests in flight, memory, lag and the outbox', async () => {
    const text = await scrape();
    expect(text).toMatch(/^causeway_http_requests_in_flight [1-9]/m);
    expect(text).toMatch(/^causeway_memory_bytes\{kind="rss"\} \d{7,}$/m);
    expect(text).toMatch(/^causeway_event_loop_lag_seconds \d/m);
    expect(text).toMatch(/^causeway_outbox_settlements 0$/m);
  });

  it('is collected once for all who ask at the same time, whoever they are', async () => {
    let readings = 0;
    const reading = (): number => (readings += 1);
    gateway.app.get(Metrics).gauge('readings', 'How often this was read.', reading);
    const texts = await Promise.all(Array.from({ length: 100 }, scrape));
    expect(texts.filter((text) => text.includes('causeway_readings '))).toHaveLength(100);
    // A hundred connections do not open in one moment.
    expect(readings).toBeLessThan(50);
    const next = Number(/^causeway_readings (\d+)$/m.exec(await scrape())?.[1]);
    expect(next).toBe(readings);
  });

  it('has no label with what a caller wrote', async () => {
    const canary = 'canary-821';
    await gateway.get(`/${canary}?${canary}=1`);
    await gateway.get(`/v3/models/${canary}/${canary}`);
    const marked = { model: `openai/${canary}`, user: canary, metadata: { user_id: canary } };
    await gateway.post('/v3/v1/messages', { ...marked, messages });
    await gateway.post('/v3/chat/completions', { ...marked, messages });
    await gateway.post('/v3/v1/messages', { model: 'sandbox/error-418', messages });
    await gateway.post('/v3/v1/messages', { model: 'sandbox/slow-821', messages });
    const drill = 'provider="sandbox",model="sandbox/drill",outcome="ok"';
    await until(
      async () => (await value(`causeway_calls_total{endpoint="/v1/messages",${drill}}`)) > 0,
    );
    const text = await scrape();
    expect(text).toContain('route="none"');
    // Any digits may stand in the numbers.
    const series = text.replaceAll(/ \S+$/gm, '');
    expect(series).not.toMatch(/canary|821|418/);
  });
});

describe('METRICS_TOKEN', () => {
  it('guards the metrics', async () => {
    const token = 'metrics-token-0123456789-abcdef';
    const gateway = await startGateway({ METRICS_TOKEN: token });
    const scrape = (headers: Record<string, string>) =>
      fetch(`${gateway.url}/metrics`, { headers });
    try {
      for (const headers of [{}, { authorization: 'Bearer x' }, { authorization: token }]) {
        const { status, headers: sent } = await scrape(headers as Record<string, string>);
        expect([status, sent.get('www-authenticate')]).toEqual([401, 'Bearer']);
      }
      const allowed = await scrape({ authorization: `Bearer ${token}` });
      expect(allowed.status).toBe(200);
      expect(allowed.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    } finally {
      await gateway.close();
    }
  });
});
