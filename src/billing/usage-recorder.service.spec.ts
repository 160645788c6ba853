import { afterEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  type DatabaseSettings,
  describeEveryEngine,
  describeWithServer,
  temporaryDirectory,
} from '../../test/support/databases.js';
import { TroubledNetwork } from '../../test/support/network-trouble.js';
import { usageRecord } from '../../test/support/usage-record.js';
import { readConfig } from '../config/read-config.js';
import { type UsageRecord } from '../contract/usage-record.js';
import { Database } from '../database/database.service.js';
import { UsageRecorder } from './usage-recorder.service.js';

const opened: Database[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((database) => database.onApplicationShutdown()));
});

async function open(settings: DatabaseSettings) {
  const database = new Database(readConfig({ ...settings }));
  opened.push(database);
  const batches: number[] = [];
  const grouped = database.grouped.bind(database);
  database.grouped = (commit) =>
    grouped((rows) => {
      batches.push(rows.length);
      return commit(rows);
    });
  const recorder = new UsageRecorder(database);
  await database.onModuleInit();
  const rows = () =>
    database.read((kysely) => kysely.selectFrom('requests').selectAll().orderBy('id').execute());
  return { database, recorder, rows, batches };
}

const many = (count: number, different: Partial<UsageRecord> = {}) =>
  Array.from({ length: count }, (_, index) =>
    usageRecord({ requestId: `req_${index}`, ...different }),
  );

describeEveryEngine('UsageRecorder', ({ fresh }) => {
  it('writes every field of a call', async () => {
    const { recorder, rows } = await open(await fresh());
    await recorder.record(
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

  it('lets many calls in flight share few transactions', async () => {
    const { recorder, rows, batches } = await open(await fresh());
    await Promise.all(many(1000).map((record) => recorder.record(record)));
    expect(new Set((await rows()).map((row) => row.request_id)).size).toBe(1000);
    expect(batches.length).toBeLessThanOrEqual(10);
  });

  it('writes one row for each call, also when callers send the same request id', async () => {
    const { recorder, rows } = await open(await fresh());
    const same = many(100, { requestId: 'mine' });
    await Promise.all(same.map((record) => recorder.record(record)));
    expect(await rows()).toHaveLength(100);
  });

  it('lets a row that cannot be written fail alone', async () => {
    const { recorder, rows } = await open(await fresh());
    const records = many(40);
    records[20] = usageRecord({ requestId: 'bad', cost: 2n ** 70n });
    const results = await Promise.allSettled(records.map((record) => recorder.record(record)));
    expect(results.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([
      20,
    ]);
    expect(await rows()).toHaveLength(39);
  });

  it('stores what PostgreSQL refuses without what it refuses', async () => {
    const { recorder, rows } = await open(await fresh());
    await recorder.record(
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
});

describe('UsageRecorder on SQLite', () => {
  it('loses no acknowledged record when its process is killed', async () => {
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
  }, 60_000);

  it('refuses within a second while the disk is full, and writes the record later', async () => {
    const { database, recorder, rows } = await open({ DATA_DIR: temporaryDirectory() });
    const limitPages = (pages: number) =>
      database.read((kysely) => sql.raw(`pragma max_page_count = ${pages}`).execute(kysely));
    await limitPages(1);
    const startedAt = performance.now();
    const records = many(200, { user: 'x'.repeat(4000) }).map((record) => recorder.record(record));
    await expect(Promise.all(records)).rejects.toMatchObject({
      status: 503,
      code: 'provider_unavailable',
      details: { retryAfter: 1 },
    });
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    await limitPages(1_000_000);
    await until(async () => (await rows()).length === 200);
  });
});

describeWithServer('UsageRecorder without its server', ({ fresh, stop, start }) => {
  it('refuses within a second, and writes the record once when the server is back', async () => {
    const { recorder, rows } = await open(await fresh());
    await recorder.record(usageRecord({ requestId: 'before' }));
    await stop();
    const startedAt = performance.now();
    await expect(recorder.record(usageRecord({ requestId: 'during' }))).rejects.toMatchObject({
      status: 503,
      details: { retryAfter: 1 },
    });
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    await start();
    await until(async () => (await rows()).length === 2);
    expect((await rows()).map((row) => row.request_id)).toEqual(['before', 'during']);
  });

  it('writes a record once whose acknowledgement was lost', async () => {
    const { network, settings } = await TroubledNetwork.before(await fresh());
    const { recorder, rows, batches } = await open(settings);
    network.loseAnswerTo('commit');
    await recorder.record(usageRecord());
    expect(await rows()).toHaveLength(1);
    expect(batches).toEqual([1, 1]);
    network.close();
  });

  it('loses nothing when the server restarts under load', async () => {
    const { recorder, rows } = await open(await fresh());
    const records = Array.from({ length: 40 }, async (_, lane) => {
      for (let count = 0; count < 50; count += 1) {
        await recorder
          .record(usageRecord({ requestId: `${lane}-${count}` }))
          .catch(() => undefined);
      }
    });
    await stop();
    await start();
    await Promise.all(records);
    await until(async () => (await rows()).length >= 2000);
    expect(new Set((await rows()).map((row) => row.request_id)).size).toBe(2000);
    expect(await rows()).toHaveLength(2000);
  });
});

/** Waits up to five seconds for something to become true. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + 5_000;
  while (!(await holds().catch(() => false))) {
    if (performance.now() > giveUpAt) throw new Error('it did not happen within five seconds');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
