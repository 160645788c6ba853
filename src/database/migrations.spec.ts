import { expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { describeEveryEngine, describeWithServer } from '../../test/support/databases.js';
import { open } from '../../test/support/open-database.js';
import { until } from '../../test/support/until.js';
import { closeEngine, type Engine } from './engine.js';
import { LAST_MIGRATION, migrate } from './migrations.js';
import { migrated } from './open-database.js';
import { openPostgres } from './postgres.js';
import { openSqlite } from './sqlite.js';
import { transact, type Work } from './transact.js';

const request = {
  ...{ request_id: 'req', account_id: 'acc', key_id: 'key', endpoint: '/embeddings' },
  ...{ requested_model: 'a/b', model: 'a/b', provider: 'a', status: 200, outcome: 'ok' },
  ...{ input_tokens: 1, output_tokens: 0, images: 0, cache_read_tokens: 0 },
  ...{ cache_write_tokens: 0, cache_write_1h_tokens: 0, image_input_tokens: 0 },
  ...{ cached_image_input_tokens: 0, image_output_tokens: 0, cost_units: 5n },
  ...{ estimated: false, attempts: '[]', duration_ms: 1, user: 'ann', metadata: '{"a":1}' },
};
const hold = {
  ...{ id: 'h', account_id: 'acc', key_id: 'key', request_id: 'req', process_id: 'p' },
  ...{ amount_units: 9n, spend_window: null, created_at: 3 },
};
const entry = {
  account_id: 'acc',
  type: 'grant',
  request_id: null,
  note: 'n',
  created_at: 4,
} as const;

describeEveryEngine('migrations', ({ name, fresh }) => {
  it('are each told by the one process that has done them', async () => {
    const { DATABASE_URL: url, DATA_DIR: directory } = await fresh();
    const engines = await Promise.all(
      [1, 2, 3].map(() => (url ? openPostgres(url, () => undefined) : openSqlite(directory))),
    );
    const told = await Promise.all(engines.map(migrated));
    await Promise.all(engines.map(closeEngine));
    expect(told.flat()).toEqual(Array.from({ length: LAST_MIGRATION }, (_, index) => index + 1));
  });

  it('move the rows that an earlier version has left', async () => {
    const settings = await fresh();
    const former = settings.DATABASE_URL
      ? await openPostgres(settings.DATABASE_URL, () => undefined)
      : await openSqlite(settings.DATA_DIR);
    const requests = [1, Date.now(), Date.now() + 1_000].map((created_at, index) => ({
      ...{ ...request, id: `r${index}`, created_at },
    }));
    const entries = ['2', '1', '3'].map((id) => ({ ...entry, id, amount_units: BigInt(id) }));
    await former.kysely.transaction().execute(async (transaction) => {
      await migrate(transaction, former.name, 2);
      await transaction.insertInto('requests').values(requests).execute();
      await transaction.insertInto('ledger').values(entries).execute();
      const { id, ...rest } = hold;
      await sql`insert into holds (id, ${sql.join(Object.keys(rest).map((key) => sql.ref(key)))})
        values (${sql.join([id, ...Object.values(rest)])})`.execute(transaction);
    });
    await closeEngine(former);

    const [database] = await Promise.all([open(settings), open(settings)]);
    const later = { ...request, id: 'r3', created_at: Date.now() + 40 * 86_400_000 };
    await database.write((transaction) =>
      transaction.insertInto('requests').values(later).execute(),
    );
    const tables = await database.read(async (kysely) => ({
      requests: await kysely.selectFrom('requests').selectAll().orderBy('id').execute(),
      ledger: await kysely.selectFrom('ledger').selectAll().orderBy('id').execute(),
      holds: await kysely.selectFrom('holds').selectAll().execute(),
    }));
    const rest = { first_byte_ms: null, uncollected_units: 0n, estimated: 0 };
    expect(tables).toEqual({
      requests: [...requests, later].map((row) => ({ ...row, ...rest })),
      ledger: entries.toSorted((one, other) => Number(one.id) - Number(other.id)),
      holds: [
        {
          ...{ ...hold, endpoint: '', requested_model: '', model: null, provider: null },
          ...{ user: null, metadata: null },
        },
      ],
    });
    if (name === 'sqlite') return;
    const { rows } = await database.read((kysely) =>
      sql<{ place: string }>`
        select tableoid::regclass::text as place from requests order by created_at`.execute(kysely),
    );
    expect(rows.map(({ place }) => place)).toEqual([
      ...Array<string>(3).fill('requests_of_the_past'),
      'requests_of_other_times',
    ]);
  });
});

describeWithServer('migrations beside a gateway that serves', ({ fresh }) => {
  /** A database of before migration 10, to which that one is applied while somebody holds a table. */
  async function migratedBeside(held: string, look: (engine: Engine) => Promise<unknown>) {
    const engine = await openPostgres((await fresh()).DATABASE_URL ?? '', () => undefined);
    const former: Work<unknown> = (transaction) => migrate(transaction, engine.name, 9);
    await transact(engine, former);
    const { promise: going, resolve: go } = Promise.withResolvers<undefined>();
    const { promise: locked, resolve: hasLocked } = Promise.withResolvers<undefined>();
    const holder = transact(engine, async (transaction) => {
      await sql`lock table ${sql.raw(held)} mode`.execute(transaction);
      hasLocked(undefined);
      await going;
    });
    await locked;
    const migration = transact(engine, (each) => migrate(each, engine.name, 10), 30_000);
    const [seen] = await Promise.allSettled([look(engine)]);
    go(undefined);
    await Promise.all([holder, migration]);
    await closeEngine(engine);
    return seen;
  }

  it('10 has locked neither accounts nor the reading of keys while it waits for files', async () => {
    const seen = await migratedBeside('uploads in row exclusive', async ({ kysely }) => {
      const locks = sql<{ place: string; mode: string }>`
        select relation::regclass::text as place, mode from pg_locks
        where granted and relation in ('accounts'::regclass, 'api_keys'::regclass) and pid in
          (select pid from pg_locks where relation = 'uploads'::regclass and not granted)`;
      let rows: readonly { place: string; mode: string }[] = [];
      await until(async () => (rows = (await locks.execute(kysely)).rows).length > 0);
      return rows;
    });
    const shared = { place: 'api_keys', mode: 'ShareLock' };
    expect(seen).toEqual({ status: 'fulfilled', value: [shared] });
  });

  it('keep nobody from reading keys as long as a backup does', async () => {
    const seen = await migratedBeside('api_keys in access share', async ({ kysely }) => {
      const waiting = sql`
        select 1 from pg_locks where relation = 'api_keys'::regclass and not granted`;
      await until(async () => (await waiting.execute(kysely)).rows.length > 0);
      return kysely.selectFrom('api_keys').select('id').execute();
    });
    expect(seen).toEqual({ status: 'fulfilled', value: [] });
  });
});
