import { expect, it, jest } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { facts } from '../../test/support/bookkeeper.js';
import {
  bookkeeper,
  creditOf,
  expectBalanced,
  newAccount,
  reborn,
} from '../../test/support/books.js';
import { describeEveryEngine } from '../../test/support/databases.js';
import { until } from '../../test/support/until.js';
import { type HoldEntry, releaseOf } from './entries.js';
import { UNANNOUNCED } from './processes.service.js';
import { reconcile } from './reconcile.js';
import { callColumns } from './request-row.js';
import { risingId } from './rising-id.js';
import { takeHolds } from './take-holds.js';

describeEveryEngine('takeHolds', ({ fresh }) => {
  it('takes nothing again that was written, its outcome lost, and reconciled since', async () => {
    const keeper = reborn(await bookkeeper(await fresh()));
    const accountId = await newAccount(keeper, 100n);
    const { id: process } = keeper.processes;
    const entry = entryOf(accountId, 30n, process);
    await keeper.books.write(entry);
    await keeper.database.write((transaction) =>
      reconcile(transaction, { id: process, beat: UNANNOUNCED }),
    );
    await keeper.books.write(entry);
    expect(await creditOf(keeper, accountId)).toMatchObject({ balance_units: 70n, held_units: 0n });
    await keeper.books.write(releaseOf(entry.hold, entry.budgetId));
    const credit = await creditOf(keeper, accountId);
    expect(credit).toMatchObject({ balance_units: 100n, held_units: 0n });
    expectBalanced(credit);
  });

  it('takes nothing again that is still being written, its outcome lost', async () => {
    const keeper = await bookkeeper(await fresh());
    const accountId = await newAccount(keeper, 100n);
    const entry = entryOf(accountId, 30n);
    let isTaken = false;
    const first = keeper.database.write(async (transaction) => {
      await takeHolds(transaction, [entry]);
      isTaken = true;
      await delay(300);
    });
    await until(() => isTaken);
    const again = keeper.database.write((transaction) => takeHolds(transaction, [entry]));
    await Promise.all([first, again]);
    const credit = await creditOf(keeper, accountId);
    expect(credit).toMatchObject({ balance_units: 70n, held_units: 30n });
    expectBalanced(credit);
  });

  it('refuses nobody for what another key of the account may not spend', async () => {
    const keeper = await bookkeeper(await fresh());
    const accountId = await newAccount(keeper, 100n);
    const spent = entryOf(accountId, 80n, undefined, { spendLimit: 50n, window: '' });
    const others = [entryOf(accountId, 80n), entryOf(accountId, 20n), entryOf(accountId, 20n)];
    await keeper.database.write((transaction) => takeHolds(transaction, [spent, ...others]));
    expect([spent, ...others].map(({ refusal }) => refusal)).toEqual([
      'spend_limit_reached',
      undefined,
      undefined,
      'insufficient_credits',
    ]);
    const credit = await creditOf(keeper, accountId);
    expect(credit).toMatchObject({ balance_units: 0n, held_units: 100n });
    expectBalanced(credit);
  });

  it('holds each of two keys that spend together to its own limit', async () => {
    const keeper = await bookkeeper(await fresh());
    const accountId = await newAccount(keeper, 1_000n);
    const window = '2026-11';
    const wide = entryOf(accountId, 40n, undefined, { spendLimit: 100n, window });
    const narrow = entryOf(accountId, 20n, undefined, { spendLimit: 50n, window });
    const last = entryOf(accountId, 20n, undefined, { spendLimit: 100n, window });
    await keeper.database.write((transaction) => takeHolds(transaction, [wide, narrow, last]));
    expect([wide, narrow, last].map(({ refusal }) => refusal)).toEqual([
      undefined,
      'spend_limit_reached',
      undefined,
    ]);
    expect(await creditOf(keeper, accountId)).toMatchObject({ held_units: 60n });
  });

  it('refuses a flood without a statement for each call, and what still fits gets its part', async () => {
    const keeper = await bookkeeper(await fresh());
    const [accountId, other] = [await newAccount(keeper, 100n), await newAccount(keeper, 9_000n)];
    const flood = Array.from({ length: 150 }, () => entryOf(accountId, 40n));
    const window = { spendLimit: 100n, window: '2026-11' };
    const limited = Array.from({ length: 150 }, () => entryOf(other, 40n, undefined, window));
    const last = [entryOf(accountId, 20n), entryOf(other, 20n, undefined, window)];
    const entries = [...flood, ...limited, ...last];
    const statements = await keeper.database.write(async (transaction) => {
      const executed = jest.spyOn(transaction, 'executeQuery');
      await takeHolds(transaction, entries);
      return executed.mock.calls.length;
    });
    expect(statements).toBeLessThan(30);
    const taken = entries.filter(({ refusal }) => refusal === undefined);
    expect(taken).toEqual([...flood.slice(0, 2), ...limited.slice(0, 2), ...last]);
    expect(new Set(entries.map(({ refusal }) => refusal))).toEqual(
      new Set([undefined, 'insufficient_credits', 'spend_limit_reached']),
    );
  });
});

function entryOf(
  accountId: string,
  amount: bigint,
  process = 'process',
  { spendLimit = null, window = null }: { spendLimit?: bigint | null; window?: string | null } = {},
): HoldEntry {
  return {
    kind: 'hold',
    hold: {
      ...callColumns(facts('req')),
      ...{ id: risingId(), account_id: accountId, key_id: `key_${accountId}` },
      ...{ process_id: process, amount_units: amount, spend_window: window },
    },
    budgetId: `key_${accountId}`,
    ...{ instead: [], spendLimit, tried: false, refusal: undefined },
  };
}
