import { afterEach, expect, it } from '@jest/globals';
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { bookkeeper, creditOf, expectBalanced } from './support/books.js';
import { send } from './support/credit.js';
import { describeEveryEngine } from './support/databases.js';
import { FakeUpstream } from './support/fake-upstream.js';
import { type GatewayProcess, startGatewayProcess } from './support/gateway-process.js';
import { API_KEY } from './support/gateway.js';
import { MESSAGE, messageEvent } from './support/provider-answers.js';
import { until } from './support/until.js';

const ROUNDS = 3;
/** A limit for what hangs: four starts of a gateway take a while on a slow machine. */
const STARTS_MS = 180_000;
const LANES = 24;
const CREDIT = 5_000_000_000_000n;
/** 100 × 1 + 50 × 5 USD a million tokens. */
const COST = 350_000_000n;

const running: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of running.splice(0)) await one.close();
});

describeEveryEngine('Credits of a gateway that is killed at any moment', ({ fresh }) => {
  it(
    'lose no acknowledged call, strand nothing, and are not overspent',
    async () => {
      const settings = await fresh();
      const upstream = new SlowUpstream();
      await upstream.listen();
      running.push(upstream);
      const env = {
        ...settings,
        CAUSEWAY_API_KEY: API_KEY,
        CAUSEWAY_ADMIN_KEY: `${API_KEY}-admin`,
        ANTHROPIC_API_KEY: 'k',
        ANTHROPIC_BASE_URL: upstream.url,
        RECONCILE_AFTER_S: '1',
        LOG_LEVEL: 'error',
      };
      const first = await startGatewayProcess(env);
      const keeper = await bookkeeper(settings);
      await keeper.ledger.grant('acc_default', CREDIT);
      const load = new Load();
      let gateway: GatewayProcess = first;
      for (let round = 0; round < ROUNDS; round += 1) {
        const lanes = load.run(gateway.url);
        const enough = load.acknowledged.length + 11;
        await until(() => load.acknowledged.length >= enough);
        await delay(randomInt(1_000));
        await gateway.kill();
        await lanes;
        gateway = await startGatewayProcess(env);
      }
      running.push({ close: gateway.kill });
      await until(async () => (await creditOf(keeper, 'acc_default')).held_units === 0n, {
        seconds: 15,
      });

      const credit = await creditOf(keeper, 'acc_default');
      expectBalanced(credit);
      expect(credit.spent_units).toBeLessThanOrEqual(CREDIT);
      const rows = await keeper.database.read((kysely) =>
        kysely.selectFrom('requests').select(['request_id', 'status', 'cost_units']).execute(),
      );
      const booked = new Map(rows.map((row) => [row.request_id, row]));
      expect(rows).toHaveLength(booked.size);
      // Every call that was answered to its end is there, at its cost.
      expect(load.acknowledged.length).toBeGreaterThan(ROUNDS * 10);
      expect(load.acknowledged.map((id) => booked.get(id)?.cost_units)).toEqual(
        load.acknowledged.map(() => COST),
      );
      // Nothing reached the provider that nobody pays for, and nothing is paid that did not reach it,
      // but for holds that were taken when the process died.
      const unpaid = [...upstream.seen].filter((id) => !booked.get(id)?.cost_units);
      expect(unpaid).toEqual([]);
      const settled = rows.filter(({ status, cost_units }) => status !== 0 && cost_units > 0n);
      expect(settled.filter(({ request_id }) => !upstream.seen.has(request_id))).toEqual([]);
      const reconciled = rows.filter(({ status }) => status === 0);
      expect(reconciled.length).toBeGreaterThan(0);
      expect(reconciled.length).toBeLessThanOrEqual(ROUNDS * LANES);
      const { data } = await keeper.ledger.entries('acc_default', { limit: 1_000_000 });
      expect(data.filter(({ type }) => type === 'reconciled')).toHaveLength(reconciled.length);
    },
    STARTS_MS,
  );
});

/** Callers that ask one thing after the other, whole or streamed, until the gateway is gone. */
class Load {
  readonly acknowledged: string[] = [];
  private count = 0;

  async run(url: string): Promise<void> {
    await Promise.all(Array.from({ length: LANES }, () => this.lane(url)));
  }

  private async lane(url: string): Promise<void> {
    for (;;) {
      this.count += 1;
      const id = `call-${this.count}`;
      const body = {
        model: 'anthropic/claude-haiku-4-5',
        messages: [{ role: 'user', content: id }],
        max_tokens: 500,
        stream: this.count % 2 === 0,
      };
      const reply = await send(url, { path: '/v3/v1/messages', key: API_KEY, body, id }).catch(
        () => undefined,
      );
      if (!reply) return;
      expect(reply.status).toBe(200);
      if (!body.stream || reply.text.includes('message_stop')) this.acknowledged.push(id);
    }
  }
}

/** A provider that takes a moment, and remembers whom it has worked for. */
class SlowUpstream extends FakeUpstream {
  readonly seen = new Set<string>();

  constructor() {
    super();
    this.answers(async (response, { body }) => {
      this.seen.add(body.messages[0].content);
      await delay(randomInt(1, 40));
      if (!body.stream) {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(
          JSON.stringify({ ...MESSAGE, usage: { input_tokens: 100, output_tokens: 50 } }),
        );
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const started = { ...MESSAGE, usage: { input_tokens: 100, output_tokens: 1 } };
      response.write(messageEvent('message_start', { message: started }));
      await delay(randomInt(1, 40));
      response.write(messageEvent('message_delta', { delta: {}, usage: { output_tokens: 50 } }));
      response.end(messageEvent('message_stop'));
    });
  }
}
