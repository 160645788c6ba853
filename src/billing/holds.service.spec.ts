import { expect, it } from '@jest/globals';
import { callerOf, facts } from '../../test/support/bookkeeper.js';
import { bookkeeper, creditOf, newAccount } from '../../test/support/books.js';
import { describeEveryEngine } from '../../test/support/databases.js';

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
