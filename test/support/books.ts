import { afterEach, expect } from '@jest/globals';
import { sql } from 'kysely';
import { Holds } from '../../src/billing/holds.service.js';
import { Processes } from '../../src/billing/processes.service.js';
import { readConfig } from '../../src/config/read-config.js';
import { type Bookkeeper, makeBookkeeper } from './bookkeeper.js';

const opened: Bookkeeper[] = [];

afterEach(async () => {
  for (const { reconciler, database } of opened.splice(0)) {
    await reconciler.beforeApplicationShutdown();
    await database.onApplicationShutdown();
  }
});

/** A process with its database, which is closed after the test. */
export async function bookkeeper(
  ...[settings]: Parameters<typeof makeBookkeeper>
): Promise<Bookkeeper> {
  const made = makeBookkeeper(settings);
  opened.push(made);
  await made.database.onModuleInit();
  return made;
}

/** The same database, seen by a process that was started after this one; it is not on the list. */
export function reborn(keeper: Bookkeeper): Bookkeeper {
  const processes = new Processes(keeper.database, readConfig({}));
  return { ...keeper, processes, holds: new Holds(keeper.books, processes, keeper.outbox) };
}

let accounts = 0;

/** A new account, with so much credit or, without an amount, no limit. */
export async function newAccount(
  { database, ledger }: Pick<Bookkeeper, 'database' | 'ledger'>,
  credit?: bigint,
): Promise<string> {
  accounts += 1;
  const id = `acc_${process.pid}_${accounts}`;
  await database.write((transaction) =>
    transaction
      .insertInto('accounts')
      .values({ id, name: id, disabled: false, created_at: 1, limited: credit !== undefined })
      .execute(),
  );
  if (credit) await ledger.grant(id, credit);
  return id;
}

export interface Credit {
  readonly limited: number;
  readonly balance_units: bigint;
  readonly held_units: bigint;
  readonly spent_units: bigint;
  /** Of all grants. */
  readonly granted_units: bigint;
  /** Of all ledger entries. */
  readonly ledger_units: bigint;
  /** Of all holds. */
  readonly holds_units: bigint;
  /** Of what calls cost, but for what could not be collected. */
  readonly collected_units: bigint;
}

/** What the books say of an account, at one moment. */
export async function creditOf({ database }: Pick<Bookkeeper, 'database'>, id: string) {
  const { rows } = await database.read((kysely) =>
    sql<Credit>`
      select limited, balance_units, held_units, spent_units,
        coalesce((select sum(amount_units) from ledger
          where account_id = accounts.id and type = 'grant'), 0) as granted_units,
        coalesce((select sum(amount_units) from ledger
          where account_id = accounts.id), 0) as ledger_units,
        coalesce((select sum(amount_units) from holds
          where account_id = accounts.id), 0) as holds_units,
        coalesce((select sum(cost_units - uncollected_units) from requests
          where account_id = accounts.id), 0) as collected_units
      from accounts where id = ${id}`.execute(kysely),
  );
  return rows[0]!;
}

/** Fails unless every sum of a limited account is what it has to be at any moment. */
export function expectBalanced(credit: Credit): void {
  const { balance_units: balance, held_units: held, spent_units: spent } = credit;
  expect(balance).toBeGreaterThanOrEqual(0n);
  expect(spent).toBeGreaterThanOrEqual(0n);
  expect({ ...credit, limited: 1 }).toEqual({
    limited: 1,
    balance_units: balance,
    held_units: credit.holds_units,
    spent_units: credit.collected_units,
    granted_units: balance + held + spent,
    ledger_units: balance + held,
    holds_units: held,
    collected_units: spent,
  });
}
