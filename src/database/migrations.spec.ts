import { expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { describeEveryEngine, describeWithServer } from '../../test/support/databases.js';
import { open } from '../../test/support/open-database.js';
import { until } from '../../test/support/until.js';
import { closeEngine } from './engine.js';
import { migrate } from './migrations.js';
import { openPostgres } from './postgres.js';
import { openSqlite } from './sqlite.js';
import { type Work } from './transact.js';

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

describeWithServer('migration 10 on PostgreSQL', ({ fresh }) => {
  it('leaves calls their keys and accounts while it makes indexes of other tables', async () => {
    const engine = await openPostgres((await fresh()).DATABASE_URL ?? '', () => undefined);
    const inTransaction = <T>(work: Work<T>) => engine.kysely.transaction().execute(work);
    await inTransaction((transaction) => migrate(transaction, engine.name, 9));
    const { promise: going, resolve: go } = Promise.withResolvers<undefined>();
    const { promise: locked, resolve: hasLocked } = Promise.withResolvers<undefined>();
    const upload = inTransaction(async (transaction) => {
      await sql`lock table uploads in row exclusive mode`.execute(transaction);
      hasLocked(undefined);
      await going;
    });
    await locked;
    const migration = inTransaction((transaction) => migrate(transaction, engine.name, 10));
    const waiting = sql`select 1 from pg_locks where relation = 'uploads'::regclass and not granted`;
    await until(async () => (await waiting.execute(engine.kysely)).rows.length > 0);
    const call = inTransaction(async (transaction) => {
      await sql`set local lock_timeout = '500ms'`.execute(transaction);
      await transaction.selectFrom('api_keys').select('id').execute();
      await transaction.updateTable('accounts').set({ name: 'b' }).execute();
    });
    const [served] = await Promise.allSettled([call]);
    go(undefined);
    await Promise.all([upload, migration]);
    await closeEngine(engine);
    expect(served).toMatchObject({ status: 'fulfilled' });
  });
});
