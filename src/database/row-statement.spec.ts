import { expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { describeEveryEngine } from '../../test/support/databases.js';
import { open } from '../../test/support/open-database.js';
import { RowStatement } from './row-statement.js';

interface Row {
  readonly id: string;
  readonly note: string | null;
  readonly amount_units: bigint | null;
  readonly done: boolean;
}

const COLUMNS = { id: 'text', note: 'text', amount_units: 'bigint', done: 'bigint' } as const;
const INSERT = new RowStatement<Row, { id: string }>(
  COLUMNS,
  ({ rows }) => `insert into things (id, note, amount_units, done) ${rows} returning id`,
);
const DELETE = new RowStatement<{ id: string }, { id: string }>(
  { id: 'text' },
  ({ oneOf }) => `delete from things where id ${oneOf} returning id`,
);

describeEveryEngine('RowStatement', ({ name, fresh }) => {
  const things = async () => {
    const database = await open(await fresh());
    const whole = sql.raw(name === 'sqlite' ? 'integer' : 'bigint');
    await database.write((transaction) =>
      sql`create table things (id text primary key, note text, amount_units ${whole}, done ${whole})`.execute(
        transaction,
      ),
    );
    const read = async () => {
      const { rows } = await database.read((kysely) =>
        sql<object>`select * from things order by id`.execute(kysely),
      );
      return rows;
    };
    return { database, read };
  };
  const row = (index: number): Row => ({
    id: String(index).padStart(4, '0'),
    note: index % 3 === 0 ? null : `note ${index}`,
    amount_units: index % 5 === 0 ? null : BigInt(index) - 9_223_372_036_854_775_807n,
    done: index % 2 === 0,
  });

  it.each([0, 1, 2, 3, 63, 64, 65, 199])('takes %i rows', async (count) => {
    const { database, read } = await things();
    const rows = Array.from({ length: count }, (_, index) => row(index));
    const ids = rows.map(({ id }) => ({ id }));
    const inserted = await database.write((transaction) => INSERT.run(transaction, rows));
    expect(inserted).toEqual(ids);
    expect(await read()).toEqual(rows.map((one) => ({ ...one, done: one.done ? 1 : 0 })));
    const doomed = [...ids.slice(0, -1), { id: 'nobody' }];
    const deleted = await database.write((transaction) => DELETE.run(transaction, doomed));
    expect(deleted.map(({ id }) => id).sort()).toEqual(ids.slice(0, -1).map(({ id }) => id));
    expect(await read()).toHaveLength(Math.min(count, 1));
  });

  it('keeps every text as it is, but for what no engine stores', async () => {
    const { database, read } = await things();
    const notes = [
      '',
      'null',
      'NULL',
      '{}',
      '{"a","b"}',
      'a,b',
      "'",
      '\\',
      '\\"',
      '"',
      ' x ',
      '\n',
      '😀',
    ];
    const rows = [...notes, 'a\0b\uD800'].map((note, index) => ({ ...row(index), note }));
    await database.write((transaction) => INSERT.run(transaction, rows));
    expect((await read()).map((one: any) => one.note)).toEqual([...notes, 'ab\uFFFD']);
  });

  it('sees a table that was changed after its first run', async () => {
    const { database, read } = await things();
    await database.write((transaction) => INSERT.run(transaction, [row(1)]));
    await database.write((transaction) =>
      sql`alter table things add column more text`.execute(transaction),
    );
    await database.write((transaction) => INSERT.run(transaction, [row(2)]));
    expect(await read()).toMatchObject([{ more: null }, { more: null }]);
  });
});
