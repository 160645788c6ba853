import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { callerOf, makeBookkeeper, facts } from '../../test/support/bookkeeper.js';
import { bookkeeper, creditOf, expectBalanced, newAccount } from '../../test/support/books.js';
import {
  type DatabaseSettings,
  describeEveryEngine,
  describeWithServer,
  temporaryDirectory,
} from '../../test/support/databases.js';
import { TroubledNetwork } from '../../test/support/network-trouble.js';
import { until } from '../../test/support/until.js';
import { usageRecord } from '../../test/support/usage-record.js';
import { type UsageRecord } from '../contract/usage-record.js';
import { type Charged } from './charges.service.js';
import { type Hold } from './holds.service.js';
import { risingId } from './rising-id.js';

const free = callerOf('acc_1', { limited: false, keyId: 'key_1' });

async function open(settings: DatabaseSettings) {
  const keeper = await bookkeeper(settings);
  const { database, charges } = keeper;
  const rows = () =>
    database.read((kysely) => kysely.selectFrom('requests').selectAll().orderBy('id').execute());
  const record = (one: UsageRecord, different: Partial<Charged> = {}) => {
    const charged = { id: risingId(), caller: free, requestId: one.requestId, hold: undefined };
    return charges.settle({ ...charged, ...different }, one);
  };
  return { ...keeper, record, rows };
}

const many = (count: number, different: Partial<UsageRecord> = {}) =>
  Array.from({ length: count }, (_, index) =>
    usageRecord({ requestId: `req_${index}`, ...different }),
  );

const outboxOf = ({ DATA_DIR }: DatabaseSettings) => {
  const directory = join(DATA_DIR, 'outbox');
  const files = existsSync(directory) ? readdirSync(directory) : [];
  return files.map((name) => join(directory, name));
};

describeEveryEngine('Charges', ({ name, fresh }) => {
  it('write every field of a call', async () => {
    const { record, rows } = await open(await fresh());
    await record(
      usageRecord({
        cost: 9_223_372_036_854_775_807n,
        estimated: true,
        firstByteMs: 3.4,
        user: 'ann',
        metadata: { team: 'search' },
      }),
    );
    expect(await rows()).toEqual([
      {
        id: expect.any(String),
        request_id: 'req_1',
        account_id: 'acc_1',
        key_id: 'key_1',
        endpoint: '/embeddings',
        requested_model: 'openai/text-embedding-3-small',
        model: 'openai/text-embedding-3-small',
        provider: 'openai',
        status: 200,
        outcome: 'ok',
        input_tokens: 7,
        output_tokens: 0,
        cache_read_tokens: 0,
        cache_write_tokens: 0,
        cache_write_1h_tokens: 0,
        image_input_tokens: 0,
        cached_image_input_tokens: 0,
        image_output_tokens: 0,
        images: 0,
        cost_units: 9_223_372_036_854_775_807n,
        uncollected_units: 0n,
        estimated: 1,
        attempts:
          '[{"model":"openai/text-embedding-3-small","provider":"openai","status":200,"ms":12}]',
        duration_ms: 13,
        first_byte_ms: 3,
        user: 'ann',
        metadata: '{"team":"search"}',
        created_at: 1_763_650_000_123,
      },
    ]);
  });

  it('of many calls in flight share few transactions', async () => {
    const { database, record, rows } = await open(await fresh());
    const counter = name === 'sqlite' ? 'id' : 'xmin';
    const startedAt = performance.now();
    await Promise.all(many(1000).map((one) => record(one)));
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(new Set((await rows()).map((row) => row.request_id)).size).toBe(1000);
    if (name === 'sqlite') return;
    const { rows: transactions } = await database.read((kysely) =>
      sql`select distinct ${sql.raw(`${counter}::text`)} from requests`.execute(kysely),
    );
    expect(transactions.length).toBeLessThanOrEqual(10);
  });

  it('write one row for each call, also when callers send the same request id', async () => {
    const { record, rows } = await open(await fresh());
    await Promise.all(many(100, { requestId: 'mine' }).map((one) => record(one)));
    expect(await rows()).toHaveLength(100);
  });

  it('fail alone where a row cannot be written, and leave nothing held', async () => {
    const keeper = await open(await fresh());
    const accountId = await newAccount(keeper, 1_000n);
    const caller = callerOf(accountId);
    const hold = await keeper.holds.hold(caller, facts('bad'), 100n);
    const bad = usageRecord({ requestId: 'bad', cost: 2n ** 70n, accountId });
    const results = await Promise.allSettled([
      ...many(20).map((one) => keeper.record(one)),
      keeper.record(bad, { id: hold!.id, caller, hold }),
      ...many(19).map((one) => keeper.record(one)),
    ]);
    expect(results.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([
      20,
    ]);
    expect(await keeper.rows()).toHaveLength(39);
    expect(await creditOf(keeper, accountId)).toMatchObject({ balance_units: 1_000n });
  });

  it('keep texts that PostgreSQL refuses without what it refuses', async () => {
    const { record, rows } = await open(await fresh());
    await record(
      usageRecord({
        requestedModel: 'a\0/b',
        user: '\0ann\uDC00',
        metadata: { 'k\0ey': 'v\0', list: [{ '\0x': '\0\uD800' }] },
      }),
    );
    expect(await rows()).toMatchObject([
      {
        requested_model: 'a/b',
        user: 'ann\uFFFD',
        metadata: '{"key":"v","list":[{"x":"\uFFFD"}]}',
      },
    ]);
  });

  it('beyond the hold come from the balance until it is empty, and the rest is noted', async () => {
    const keeper = await open(await fresh());
    const accountId = await newAccount(keeper, 1_000n);
    const caller = callerOf(accountId);
    const spend = async (cost: bigint) => {
      const hold = await keeper.holds.hold(caller, facts('req'), 100n);
      await keeper.record(usageRecord({ cost, accountId }), { id: hold!.id, caller, hold });
    };
    await spend(700n);
    expect(await creditOf(keeper, accountId)).toMatchObject({ balance_units: 300n });
    await spend(450n);
    const credit = await creditOf(keeper, accountId);
    expect(credit).toMatchObject({ balance_units: 0n, spent_units: 1_000n });
    expectBalanced(credit);
    const rows = await keeper.rows();
    expect(rows.map((row) => [row.cost_units, row.uncollected_units])).toEqual([
      [700n, 0n],
      [450n, 150n],
    ]);
    const { data } = await keeper.ledger.entries(accountId, { limit: 10 });
    expect(data.map(({ type, amount, request_id }) => [type, amount, request_id])).toEqual([
      ['charge', -300n, 'req_1'],
      ['charge', -700n, 'req_1'],
      ['grant', 1_000n, null],
    ]);
  });

  it('come once out of the outbox, also those that are in the database already', async () => {
    const settings = await fresh();
    const keeper = await open(settings);
    const accountId = await newAccount(keeper, 1_000n);
    const caller = callerOf(accountId);
    const holds = await Promise.all(
      [1, 2].map(() => keeper.holds.hold(caller, facts('req'), 100n).then((hold) => hold!)),
    );
    // What a process that died has left: a settled call, one that is not, and half a line.
    mkdirSync(join(settings.DATA_DIR, 'outbox'), { recursive: true });
    const write = keeper.books.write.bind(keeper.books);
    const lines: string[] = [];
    keeper.books.write = (entry) => {
      lines.push(
        JSON.stringify(entry, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
      );
      return lines.length === 1 ? write(entry) : Promise.resolve();
    };
    for (const hold of holds) {
      await keeper.record(usageRecord({ cost: 40n, accountId }), { id: hold.id, caller, hold });
    }
    keeper.books.write = write;
    const file = join(settings.DATA_DIR, 'outbox', 'dead.jsonl');
    appendFileSync(file, `\n${lines[0]}\n\n${lines[1]!.slice(0, 90)}\n${lines[1]}\n{"kind":"sett`);

    const successor = await bookkeeper(settings);
    successor.reconciler.onModuleInit();
    await until(() => outboxOf(settings).length === 0);
    const credit = await creditOf(keeper, accountId);
    expect(credit).toMatchObject({ balance_units: 920n, held_units: 0n, spent_units: 80n });
    expectBalanced(credit);
    expect(await keeper.rows()).toHaveLength(2);
  });
});

describe('Charges on SQLite', () => {
  it('lose no acknowledged record when their process is killed', async () => {
    const directory = temporaryDirectory();
    const acknowledged: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const child = spawn(
        process.execPath,
        ['--import', './test/support/typescript.mjs', 'test/support/record-forever.ts', directory],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (output.length > 20_000 * (1 + Math.random())) child.kill('SIGKILL');
      });
      await once(child, 'close');
      acknowledged.push(...output.split('\n').slice(0, -1));
    }
    const { rows } = await open({ DATA_DIR: directory });
    const written = new Set((await rows()).map((row) => row.request_id));
    expect(acknowledged.length).toBeGreaterThan(1000);
    expect(acknowledged.filter((id) => !written.has(id))).toEqual([]);
  });

  it('refuse after a second while the disk is full, and are written later', async () => {
    const settings = { DATA_DIR: temporaryDirectory() };
    const { database, outbox, record, rows } = await open(settings);
    const limitPages = (pages: number) =>
      database.read((kysely) => sql.raw(`pragma max_page_count = ${pages}`).execute(kysely));
    outbox.keep = () => Promise.reject(new Error('ENOSPC'));
    await limitPages(1);
    const startedAt = performance.now();
    const records = many(200, { user: 'x'.repeat(4000) }).map((one) => record(one));
    await expect(Promise.all(records)).rejects.toMatchObject({
      status: 503,
      code: 'provider_unavailable',
      details: { retryAfter: 1 },
    });
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    await limitPages(1_000_000);
    await until(async () => (await rows()).length === 200);
  });
});

describeWithServer('Charges without their server', ({ fresh, stop, start }) => {
  it('are kept on the disk after a second, and are booked once when the server is back', async () => {
    const settings = await fresh();
    const keeper = await open(settings);
    const accountId = await newAccount(keeper, 1_000n);
    const caller = callerOf(accountId);
    const hold = await keeper.holds.hold(caller, facts('during'), 100n);
    await stop();
    const startedAt = performance.now();
    await keeper.record(usageRecord({ cost: 60n, accountId }), { id: hold!.id, caller, hold });
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    await expect(keeper.holds.hold(caller, facts('refused'), 100n)).rejects.toMatchObject({
      status: 503,
    });
    const [file] = outboxOf(settings);
    expect(readFileSync(file!, 'utf8')).toContain(hold!.id);
    await start();
    await until(async () => (await creditOf(keeper, accountId)).spent_units === 60n);
    // The hold that nobody waited for is gone too, and so is the file.
    await until(async () => (await creditOf(keeper, accountId)).held_units === 0n);
    await until(() => outboxOf(settings).length === 0);
    expectBalanced(await creditOf(keeper, accountId));
  });

  it('are none for a call that was refused: its late hold is released, if by the next process', async () => {
    const settings = await fresh();
    const keeper = await open(settings);
    const accountId = await newAccount(keeper, 100n);
    await stop();
    const refused = keeper.holds.hold(callerOf(accountId), facts('req'), 60n);
    await expect(refused).rejects.toMatchObject({ status: 503 });
    const [kept] = outboxOf(settings).map((path) => JSON.parse(readFileSync(path, 'utf8')));
    expect(kept).toMatchObject({ request: null, requestId: 'req', holdId: expect.any(String) });
    await start();
    await until(() => outboxOf(settings).length === 0);
    expect(await creditOf(keeper, accountId)).toMatchObject({
      ...{ balance_units: 100n, held_units: 0n, spent_units: 0n },
    });
  });

  it('are booked by the next start when their process died before the server was back', async () => {
    const settings = await fresh();
    const first = makeBookkeeper(settings);
    await first.database.onModuleInit();
    const accountId = await newAccount(first, 1_000n);
    const caller = callerOf(accountId);
    const hold = await first.holds.hold(caller, facts('req'), 100n);
    await stop();
    await first.charges.settle(
      { id: hold!.id, caller, requestId: 'req', hold },
      usageRecord({ cost: 60n, accountId }),
    );
    await first.database.onApplicationShutdown();
    expect(outboxOf(settings)).toHaveLength(1);
    await start();
    const next = await open(settings);
    next.reconciler.onModuleInit();
    await until(async () => (await creditOf(next, accountId)).spent_units === 60n);
    expectBalanced(await creditOf(next, accountId));
  });

  it('are on the disk before their process stops, also those of the last moment', async () => {
    const settings = await fresh();
    const first = makeBookkeeper(settings);
    await first.database.onModuleInit();
    const accountId = await newAccount(first, 1_000n);
    const caller = callerOf(accountId);
    const holds = await Promise.all(
      ['early', 'late'].map((name) => first.holds.hold(caller, facts(name), 100n)),
    );
    const settle = (hold: Hold | undefined) =>
      first.charges.settle(
        { id: hold!.id, caller, requestId: 'req', hold },
        usageRecord({ cost: 60n, accountId }),
      );
    await stop();
    const early = settle(holds[0]);
    const stopped = first.database.onApplicationShutdown();
    // Its writer gives up two seconds after the stop began.
    await delay(1_700);
    const late = settle(holds[1]);
    await stopped;
    const kept = readFileSync(outboxOf(settings)[0]!, 'utf8');
    await Promise.all([early, late]);
    for (const hold of holds) expect(kept).toContain(hold!.id);
    // Now nothing can be written but to the disk.
    const afterwards = { ...facts('after'), cost: 0n, accountId };
    await first.charges.settle(
      { id: 'after', caller, requestId: 'after', hold: undefined },
      usageRecord(afterwards),
    );
    await start();
    const next = await open(settings);
    next.reconciler.onModuleInit();
    await until(async () => (await creditOf(next, accountId)).spent_units === 120n);
    await until(async () => (await next.rows()).some(({ request_id: id }) => id === 'after'));
    expectBalanced(await creditOf(next, accountId));
  });

  const troubled = async () => {
    const { network, settings } = await TroubledNetwork.before(await fresh());
    const keeper = await open(settings);
    const accountId = await newAccount(keeper, 1_000n);
    return { network, keeper, accountId, caller: callerOf(accountId) };
  };

  it('are booked once, and holds taken once, when the acknowledgement was lost', async () => {
    const { network, keeper, accountId, caller } = await troubled();
    network.loseAnswerTo('commit');
    const hold = await keeper.holds.hold(caller, facts('req'), 100n);
    expect(await creditOf(keeper, accountId)).toMatchObject({ held_units: 100n });
    network.loseAnswerTo('commit');
    await keeper.record(usageRecord({ cost: 60n, accountId }), { id: hold!.id, caller, hold });
    const credit = await creditOf(keeper, accountId);
    expect(credit).toMatchObject({ balance_units: 940n, held_units: 0n });
    expectBalanced(credit);
    network.close();
  });

  it('are not waited for again where a hold has been waited for in vain', async () => {
    const { network, keeper, accountId, caller } = await troubled();
    network.silence('all');
    const held = keeper.holds.hold(caller, facts('req'), 100n);
    await expect(held).rejects.toMatchObject({ status: 503 });
    expect(keeper.database.life.isLost).toBe(true);
    const refused = keeper.record(usageRecord({ cost: 0n, accountId, status: 503 }), { caller });
    const first = await Promise.race([refused.then(() => 'disk'), delay(900, 'a second wait')]);
    expect(first).toBe('disk');
    network.speak();
    await until(async () => (await keeper.rows()).length === 1);
    await until(async () => (await creditOf(keeper, accountId)).held_units === 0n);
    expect(keeper.database.life.isLost).toBe(false);
    network.close();
  });

  it('lose nothing when the server restarts under load', async () => {
    const { record, rows } = await open(await fresh());
    const lanes = Array.from({ length: 40 }, async (_, lane) => {
      for (let count = 0; count < 50; count += 1) {
        await record(usageRecord({ requestId: `${lane}-${count}` }));
      }
    });
    await stop();
    await start();
    await Promise.all(lanes);
    await until(async () => (await rows()).length >= 2000);
    expect(new Set((await rows()).map((row) => row.request_id)).size).toBe(2000);
    expect(await rows()).toHaveLength(2000);
  });
});
