import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Database } from '../src/database/database.service.js';
import { MOST_DRAINED_BYTES } from '../src/dispatch/drains.js';
import { anthropic } from '../src/providers/anthropic/anthropic.js';
import { fundedAccount } from './support/credit.js';
import { temporaryDirectory } from './support/databases.js';
import { FakeUpstream } from './support/fake-upstream.js';
import { API_KEY, type RunningGateway, startGateway } from './support/gateway.js';
import { metric } from './support/metric.js';
import { BEGINNING, END, MESSAGE, messageEvent } from './support/provider-answers.js';
import { until } from './support/until.js';
import { requestRows } from './support/request-rows.js';

const model = 'anthropic/claude-haiku-4-5';
const messages = [{ role: 'user', content: 'Hello' }];
/** 100 × 1 + 50 × 5 USD a million tokens. */
const COST = 350_000_000n;
/** By then the gateway has seen that the caller is gone, which takes it a moment. */
const LATE_MS = 1_000;
const MB = 1024 * 1024;

describe.each(['drain', 'cancel'] as const)(
  'a caller who hangs up on a provider with %s',
  (rule) => {
    const upstream = new FakeUpstream();
    const dataDir = temporaryDirectory();
    const usual = anthropic.onDisconnect;
    let gateway: RunningGateway;
    const start = () =>
      startGateway({
        DATA_DIR: dataDir,
        ANTHROPIC_API_KEY: 'k',
        ANTHROPIC_BASE_URL: upstream.url,
      });
    beforeAll(async () => {
      Object.assign(anthropic, { onDisconnect: rule });
      await upstream.listen();
      gateway = await start();
    });
    afterAll(async () => {
      Object.assign(anthropic, { onDisconnect: usual });
      await gateway.close();
      await upstream.close();
    });

    const call = (id: string, body: object, key = API_KEY): ClientRequest => {
      const caller = httpRequest(`${gateway.url}/v3/v1/messages`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'x-request-id': id,
        },
      });
      caller.on('error', () => undefined);
      caller.once('response', (response) => response.on('error', () => undefined));
      caller.end(JSON.stringify({ model, messages, ...body }));
      return caller;
    };
    const rowsOf = (id: string) => requestRows(gateway, id);
    const rowOf = async (id: string) => {
      await until(async () => (await rowsOf(id)).length > 0);
      // A second one would come at once.
      await delay(50);
      const rows = await rowsOf(id);
      expect(rows).toHaveLength(1);
      return rows[0]!;
    };
    /** Leaves in the middle of a stream, whose end comes only then. */
    const leave = async (id: string, rest: (write: (text: string) => boolean) => Promise<void>) => {
      const left = Promise.withResolvers<undefined>();
      upstream.answers(async (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(BEGINNING);
        await left.promise;
        await rest((text) => response.write(text));
        response.end();
      });
      const caller = call(id, { stream: true });
      await new Promise((resolve) => {
        caller.once('response', (response) => response.once('data', resolve));
      });
      caller.destroy();
      await delay(20);
      left.resolve(undefined);
    };

    it('pays for a stream', async () => {
      const before = upstream.aborted;
      await leave('stream', async (write) => {
        await delay(LATE_MS);
        write(END);
      });
      const row = await rowOf('stream');
      expect(row).toMatchObject({ outcome: 'client_closed', status: 200, input_tokens: 100 });
      const { output_tokens, estimated, cost_units } = row;
      if (rule === 'drain') {
        expect([output_tokens, estimated, cost_units]).toEqual([50, 0, COST]);
        expect(upstream.aborted).toBe(before);
      } else {
        expect(output_tokens).toBeLessThan(50);
        expect(upstream.aborted).toBe(before + 1);
      }
    });

    it('pays for a stream that begins when he has gone, of which he had no head', async () => {
      const arrived = Promise.withResolvers<undefined>();
      upstream.answers(async (response) => {
        arrived.resolve(undefined);
        await delay(LATE_MS);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(BEGINNING + END);
      });
      const caller = call('late', { stream: true });
      await arrived.promise;
      caller.destroy();
      const row = await rowOf('late');
      expect(row).toMatchObject({ outcome: 'client_closed', status: 499 });
      if (rule === 'drain') expect(row).toMatchObject({ output_tokens: 50, cost_units: COST });
    });

    it('pays for a whole answer, and holds no credit and no memory after it', async () => {
      const before = upstream.aborted;
      const account = await fundedAccount(gateway, 1_000_000_000_000n);
      const arrived = Promise.withResolvers<undefined>();
      upstream.answers(async (response) => {
        arrived.resolve(undefined);
        await delay(LATE_MS);
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(
          JSON.stringify({ ...MESSAGE, usage: { input_tokens: 100, output_tokens: 50 } }),
        );
      });
      const caller = call('whole', {}, account.key);
      await arrived.promise;
      caller.destroy();
      const row = await rowOf('whole');
      expect(row).toMatchObject({ outcome: 'client_closed', status: 499 });
      if (rule === 'drain') {
        expect(row).toMatchObject({ output_tokens: 50, estimated: 0, cost_units: COST });
        expect(upstream.aborted).toBe(before);
      } else {
        expect(row).toMatchObject({ output_tokens: 0, estimated: 1 });
        await until(() => upstream.aborted === before + 1);
      }
      const credit = await gateway.app
        .get(Database)
        .read((kysely) =>
          kysely.selectFrom('accounts').selectAll().where('id', '=', account.id).execute(),
        );
      expect(credit).toMatchObject([{ held_units: 0n, spent_units: row.cost_units }]);
      expect(await metric(gateway, 'causeway_buffered_bytes')).toBe(0);
    });

    it('pays nothing for a refusal that comes when he has gone, and tries no other model', async () => {
      const arrived = Promise.withResolvers<undefined>();
      const before = upstream.received.length;
      upstream.answers(async (response) => {
        arrived.resolve(undefined);
        await delay(LATE_MS);
        response.writeHead(529, { 'content-type': 'application/json' });
        response.end('{}');
      });
      const caller = call('refused', { fallbacks: ['anthropic/claude-sonnet-4-5'] });
      await arrived.promise;
      caller.destroy();
      const row = await rowOf('refused');
      expect(row).toMatchObject({ outcome: 'client_closed', status: 499, output_tokens: 0 });
      if (rule === 'drain') expect(row.cost_units).toBe(0n);
      await delay(300);
      expect(upstream.received).toHaveLength(before + 1);
    });

    if (rule === 'cancel') return;

    it('counts the memory of a call until its answer has been read on', async () => {
      const buffered = () => metric(gateway, 'causeway_buffered_bytes');
      const arrived = Promise.withResolvers<undefined>();
      const counted = Promise.withResolvers<undefined>();
      upstream.answers(async (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write(`{"filler":"${'x'.repeat(MB)}",`);
        arrived.resolve(undefined);
        await counted.promise;
        const usage = { input_tokens: 100, output_tokens: 50 };
        response.end(JSON.stringify({ ...MESSAGE, usage }).slice(1));
      });
      const caller = call('large', { messages: [{ role: 'user', content: 'x'.repeat(MB) }] });
      await arrived.promise;
      caller.destroy();
      await delay(LATE_MS);
      const held = await buffered();
      counted.resolve(undefined);
      expect(await rowOf('large')).toMatchObject({ outcome: 'client_closed', output_tokens: 50 });
      // Four times its body, and twice what had come in of its answer.
      expect(held).toBeGreaterThan(6 * MB);
      expect(await buffered()).toBe(0);
    });

    it('pays for what was seen of a stream that does not end', async () => {
      const before = upstream.aborted;
      const piece = messageEvent('ping', { filler: 'x'.repeat(1024 * 1024) });
      await leave('endless', async (write) => {
        for (let sent = 0; sent < 4 * MOST_DRAINED_BYTES; sent += piece.length) {
          write(piece);
          await delay(5);
        }
      });
      expect(await rowOf('endless')).toMatchObject({ outcome: 'client_closed', input_tokens: 100 });
      await until(() => upstream.aborted === before + 1);
    });

    it('pays for what was seen when the gateway stops meanwhile', async () => {
      await leave('stopped', () => delay(10_000));
      await delay(50);
      expect(await rowsOf('stopped')).toEqual([]);
      const startedAt = performance.now();
      await gateway.close();
      expect(performance.now() - startedAt).toBeLessThan(8_000);
      gateway = await start();
      expect(await rowOf('stopped')).toMatchObject({
        ...{ outcome: 'client_closed', input_tokens: 100, estimated: 1 },
      });
    });
  },
);
