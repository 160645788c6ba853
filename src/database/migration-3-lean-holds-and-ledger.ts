import { type Kysely, sql } from 'kysely';
import { type EngineName } from './engine.js';
import { type Tables } from './tables.js';

/** Holds that say what they are for, and tables with no more to write for each call than is read. */
export async function leanHoldsAndLedger(
  database: Kysely<Tables>,
  engine: EngineName,
): Promise<void> {
  await holdsNameTheirCalls(database, engine);
  await oneOrderOfTheLedger(database, engine);
}

/** Made anew, as on SQLite a table gets its shape only once. */
async function holdsNameTheirCalls(database: Kysely<Tables>, engine: EngineName): Promise<void> {
  const whole = engine === 'sqlite' ? 'integer' : 'bigint';
  // Without an index on the process: there are never more rows than calls that are running.
  await sql`alter table holds rename to former_holds`.execute(database);
  await sql`
    create table holds (
      id text not null,
      account_id text not null,
      key_id text not null,
      request_id text not null,
      process_id text not null,
      amount_units ${sql.raw(whole)} not null,
      spend_window text,
      endpoint text not null default '',
      requested_model text not null default '',
      model text,
      provider text,
      "user" text,
      metadata text,
      created_at ${sql.raw(whole)} not null,
      primary key (id)
    )
    ${sql.raw(engine === 'sqlite' ? 'strict, without rowid' : '')}`.execute(database);
  await sql`
    insert into holds
    select id, account_id, key_id, request_id, process_id, amount_units, spend_window,
      '', '', null, null, null, null, created_at
    from former_holds`.execute(database);
  await sql`drop table former_holds`.execute(database);
}

/** Kept in the order in which it is read, and in no other: every call adds to it. */
async function oneOrderOfTheLedger(database: Kysely<Tables>, engine: EngineName): Promise<void> {
  if (engine === 'postgres') {
    await sql`alter table ledger drop constraint ledger_pkey`.execute(database);
    await sql`drop index ledger_by_account`.execute(database);
    await sql`alter table ledger add primary key (account_id, id)`.execute(database);
    return;
  }
  await sql`drop index ledger_by_account`.execute(database);
  await sql`alter table ledger rename to former_ledger`.execute(database);
  await sql`
    create table ledger (
      id text not null,
      account_id text not null,
      type text not null,
      amount_units integer not null,
      request_id text,
      note text,
      created_at integer not null,
      primary key (account_id, id)
    ) strict, without rowid`.execute(database);
  await sql`insert into ledger select * from former_ledger order by account_id, id`.execute(
    database,
  );
  await sql`drop table former_ledger`.execute(database);
}
