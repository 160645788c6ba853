import { describe, expect, it } from '@jest/globals';
import { callerOf, facts } from '../../test/support/bookkeeper.js';
import { bookkeeper, creditOf, newAccount } from '../../test/support/books.js';
import { describeEveryEngine } from '../../test/support/databases.js';
import { type Hold } from './holds.service.js';
import { usageRecord } from '../../test/support/usage-record.js';
import { type Caller } from '../contract/caller.js';

describeEveryEngine('Holds', ({ fresh }) => {
  it('are not asked of the database where nothing is limited', async () => {
    const keeper = await bookkeeper(await fresh());
    const free = callerOf(await newAccount(keeper), { limited: false });
    keeper.books.write = () => Promise.reject(new Error('the database was asked'));
    expect(await keeper.holds.hold(free, facts('req'), 100n)).toBeUndefined();
    expect(await keeper.holds.hold(callerOf('acc'), facts('req'), 0n)).toBeUndefined();
  });

  it('go to those who came first where there is not enough for all', async () => {
    const keeper = await bookkeeper(await fresh());
    const accountId = await newAccount(keeper, 100n);
    const results = await Promise.all(
      [60n, 50n, 30n, 20n, 10n].map((amount) =>
        keeper.holds.hold(callerOf(accountId), facts('req'), amount).then(
          () => 'held',
          (error: { status: number; code: string }) => `${error.status} ${error.code}`,
        ),
      ),
    );
    expect(results).toEqual(['held', NO_CREDIT, 'held', NO_CREDIT, 'held']);
    expect(await creditOf(keeper, accountId)).toMatchObject({
      balance_units: 0n,
      held_units: 100n,
      holds_units: 100n,
    });
  });

  it('name their call and process, and the window of the key', async () => {
    const keeper = await bookkeeper(await fresh());
    const accountId = await newAccount(keeper, 100n);
    const spendLimit = { amount: 90n, per: 'month' } as const;
    const call = { ...facts('req_7'), user: 'ann', metadata: { team: 'search' } };
    const hold = await keeper.holds.hold(callerOf(accountId, { spendLimit }), call, 50n);
    const rows = await keeper.database.read((kysely) =>
      kysely.selectFrom('holds').selectAll().execute(),
    );
    expect(rows).toEqual([
      {
        id: hold!.id,
        account_id: accountId,
        key_id: `key_${accountId}`,
        request_id: 'req_7',
        process_id: keeper.processes.id,
        amount_units: 50n,
        spend_window: `month:${new Date().toISOString().slice(0, 7)}`,
        endpoint: '/embeddings',
        requested_model: 'openai/text-embedding-3-small',
        model: 'openai/text-embedding-3-small',
        provider: 'openai',
        user: 'ann',
        metadata: '{"team":"search"}',
        created_at: 1_763_650_000_123,
      },
    ]);
  });

  it('that the key may not spend give the account its credit back', async () => {
    const keeper = await bookkeeper(await fresh());
    const accountId = await newAccount(keeper, 1_000n);
    const limited = callerOf(accountId, { spendLimit: { amount: 100n, per: 'day' } });
    const other = callerOf(accountId, { keyId: 'other' });
    const results = await Promise.allSettled([
      keeper.holds.hold(limited, facts('req'), 80n),
      keeper.holds.hold(limited, facts('req'), 80n),
      keeper.holds.hold(limited, facts('req'), 101n),
      keeper.holds.hold(other, facts('req'), 500n),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      ...['fulfilled', 'rejected', 'rejected', 'fulfilled'],
    ]);
    for (const result of [results[1]!, results[2]!]) {
      expect(result).toMatchObject({ reason: { status: 402, code: 'spend_limit_reached' } });
    }
    expect(await creditOf(keeper, accountId)).toMatchObject({
      balance_units: 420n,
      held_units: 580n,
    });
  });

  it('of a key and of the one that it was rotated to share one limit', async () => {
    const keeper = await bookkeeper(await fresh());
    const accountId = await newAccount(keeper, 1_000n);
    const spendLimit = { amount: 100n, per: 'total' } as const;
    const old = callerOf(accountId, { spendLimit });
    const successor = callerOf(accountId, { spendLimit, keyId: 'new', budgetId: old.keyId });
    const results = await Promise.allSettled([
      keeper.holds.hold(old, facts('req'), 60n),
      keeper.holds.hold(successor, facts('req'), 60n),
      keeper.holds.hold(successor, facts('req'), 40n),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const { value: hold } = results[0] as PromiseFulfilledResult<Hold>;
    const charged = { id: 'r', caller: old, requestId: 'req', hold };
    await keeper.charges.release(charged);
    await keeper.holds.hold(successor, facts('req'), 60n);
    await expect(keeper.holds.hold(old, facts('req'), 1n)).rejects.toMatchObject({ status: 402 });
  });

  describe('in place of those of an earlier try', () => {
    const said = (result: Promise<unknown>) =>
      result.then(
        () => 'held',
        (error: { status: number; code: string }) => `${error.status} ${error.code}`,
      );

    it('keep what that had set aside from others', async () => {
      const keeper = await bookkeeper(await fresh());
      const caller = callerOf(await newAccount(keeper, 100n));
      const first = await keeper.holds.hold(caller, facts('req'), 60n);
      const second = await keeper.holds.hold(caller, facts('req'), 40n);
      const results = await Promise.all([
        said(keeper.holds.hold(caller, facts('other'), 60n)),
        said(keeper.holds.hold(caller, facts('other'), 1n)),
        said(keeper.holds.hold(caller, facts('req'), 41n, { instead: [second!] })),
        said(keeper.holds.hold(caller, facts('req'), 60n, { instead: [first!] })),
      ]);
      expect(results).toEqual([NO_CREDIT, 'held', NO_CREDIT, 'held']);
      expect(await creditOf(keeper, caller.accountId)).toMatchObject({
        balance_units: 39n,
        held_units: 61n,
        holds_units: 61n,
      });
    });

    it('are higher or lower, within the key’s limit too', async () => {
      const keeper = await bookkeeper(await fresh());
      const spendLimit = { amount: 80n, per: 'day' } as const;
      const caller = callerOf(await newAccount(keeper, 100n), { spendLimit });
      let hold = await keeper.holds.hold(caller, facts('req'), 50n);
      for (const amount of [80n, 10n, 70n]) {
        hold = await keeper.holds.hold(caller, facts('req'), amount, { instead: [hold!] });
        expect(await creditOf(keeper, caller.accountId)).toMatchObject({
          balance_units: 100n - amount,
          held_units: amount,
          holds_units: amount,
        });
      }
      const more = keeper.holds.hold(caller, facts('b'), 11n);
      expect(await said(more)).toBe('402 spend_limit_reached');
    });

    it('that do not fit leave nothing held, and the call can be settled all the same', async () => {
      const keeper = await bookkeeper(await fresh());
      const caller = callerOf(await newAccount(keeper, 100n));
      const hold = await keeper.holds.hold(caller, facts('req'), 50n);
      expect(await said(keeper.holds.hold(caller, facts('req'), 101n, { instead: [hold!] }))).toBe(
        NO_CREDIT,
      );
      const freed = { balance_units: 100n, held_units: 0n, holds_units: 0n, spent_units: 0n };
      expect(await creditOf(keeper, caller.accountId)).toMatchObject(freed);
      const charged = { id: hold!.id, caller, requestId: 'req', hold };
      await keeper.charges.settle(charged, recordOf(caller, 0n));
      expect(await creditOf(keeper, caller.accountId)).toMatchObject(freed);
      const rows = await keeper.database.read((kysely) =>
        kysely.selectFrom('requests').select('id').execute(),
      );
      expect(rows).toEqual([{ id: hold!.id }]);
    });

    it('lose no record of the call that comes in the same moment', async () => {
      const keeper = await bookkeeper(await fresh());
      const caller = callerOf(await newAccount(keeper, 100n));
      const hold = await keeper.holds.hold(caller, facts('req'), 50n);
      const charged = { id: hold!.id, caller, requestId: 'req', hold };
      await Promise.all([
        keeper.holds.hold(caller, facts('req'), 10n, { instead: [hold!] }),
        keeper.charges.settle(charged, recordOf(caller, 5n)),
      ]);
      expect(await creditOf(keeper, caller.accountId)).toMatchObject({
        balance_units: 85n,
        held_units: 10n,
        spent_units: 5n,
        collected_units: 5n,
      });
    });
  });

  it('beyond all that an account can have are refused like others', async () => {
    const keeper = await bookkeeper(await fresh());
    const caller = callerOf(await newAccount(keeper, 100n));
    await expect(keeper.holds.hold(caller, facts('req'), 2n ** 70n)).rejects.toMatchObject({
      status: 402,
      code: 'insufficient_credits',
    });
  });
});

const NO_CREDIT = '402 insufficient_credits';

function recordOf({ accountId, keyId }: Caller, cost: bigint) {
  return usageRecord({ accountId, keyId, requestId: 'req', cost });
}
