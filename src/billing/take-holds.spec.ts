import { expect, it } from '@jest/globals';
import { facts } from '../../test/support/bookkeeper.js';
import {
  bookkeeper,
  creditOf,
  expectBalanced,
  newAccount,
  reborn,
} from '../../test/support/books.js';
import { describeEveryEngine } from '../../test/support/databases.js';
import { type HoldEntry, releaseOf } from './entries.js';
import { UNANNOUNCED } from './processes.service.js';
import { reconcile } from './reconcile.js';
import { callColumns } from './request-row.js';
import { risingId } from './rising-id.js';

describeEveryEngine('takeHolds', ({ fresh }) => {
  it('takes nothing again that was written, its outcome lost, and reconciled since', async () => {
    const keeper = reborn(await bookkeeper(await fresh()));
    const accountId = await newAccount(keeper, 100n);
    const { id: process } = keeper.processes;
    const entry: HoldEntry = {
      kind: 'hold',
      hold: {
        ...callColumns(facts('req')),
        ...{ id: risingId(), account_id: accountId, key_id: 'key_1', process_id: process },
        ...{ amount_units: 30n, spend_window: null },
      },
      ...{ instead: [], spendLimit: null, tried: false, refusal: undefined },
    };
    await keeper.books.write(entry);
    await keeper.database.write((transaction) =>
      reconcile(transaction, { id: process, beat: UNANNOUNCED }),
    );
    await keeper.books.write(entry);
    expect(await creditOf(keeper, accountId)).toMatchObject({ balance_units: 70n, held_units: 0n });
    await keeper.books.write(releaseOf(entry.hold));
    const credit = await creditOf(keeper, accountId);
    expect(credit).toMatchObject({ balance_units: 100n, held_units: 0n });
    expectBalanced(credit);
  });
});
