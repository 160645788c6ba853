import { expect, it } from '@jest/globals';
import { callerOf, facts } from '../../test/support/bookkeeper.js';
import { bookkeeper, creditOf, expectBalanced, newAccount } from '../../test/support/books.js';
import { describeEveryEngine } from '../../test/support/databases.js';
import { UNITS_PER_USD } from '../contract/money.js';

const MILLION = 1_000_000n * UNITS_PER_USD;

describeEveryEngine('Ledger', ({ fresh }) => {
  it('gives, takes back what is there, and shows the newest first, page by page', async () => {
    const keeper = await bookkeeper(await fresh());
    const { ledger } = keeper;
    const account = await newAccount(keeper);
    const given = await ledger.grant(account, 50n, { note: 'first' });
    expect(given).toEqual({
      ...{ id: expect.any(String), type: 'grant', amount: 50n, request_id: null, note: 'first' },
      created_at: expect.any(Number),
    });
    await ledger.grant(account, 7n);
    await ledger.grant(account, -57n);
    await expect(ledger.grant(account, -1n)).rejects.toMatchObject({
      status: 400,
      code: 'invalid_value',
      details: { param: 'amount' },
    });
    const first = await ledger.entries(account, { limit: 2 });
    expect(first.data.map(({ amount }) => amount)).toEqual([-57n, 7n]);
    const rest = await ledger.entries(account, { limit: 2, cursor: first.next_cursor! });
    expect(rest).toEqual({ data: [given], next_cursor: null });
    expectBalanced(await creditOf(keeper, account));
  });

  it('grants once for an idempotency key, however often and at once it is asked', async () => {
    const settings = await fresh();
    const [one, other] = await Promise.all([bookkeeper(settings), bookkeeper(settings)]);
    const account = await newAccount(one);
    const options = { note: 'n', idempotencyKey: 'k' };
    const entries = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        untilServed(() => (index % 2 ? one : other).ledger.grant(account, 5n, options)),
      ),
    );
    expect(new Set(entries.map(({ id }) => id)).size).toBe(1);
    expect(await creditOf(one, account)).toMatchObject({ balance_units: 5n });
    const conflict = { status: 409, code: 'invalid_request' };
    await expect(one.ledger.grant(account, 6n, options)).rejects.toMatchObject(conflict);
    const unnoted = { idempotencyKey: 'k' };
    await expect(one.ledger.grant(account, 5n, unnoted)).rejects.toMatchObject(conflict);
    // Another account's keys are its own, and a grant that was refused has used none.
    await one.ledger.grant(await newAccount(one), 6n, options);
    const later = { idempotencyKey: 'later' };
    await expect(one.ledger.grant(account, -6n, later)).rejects.toMatchObject({ status: 400 });
    await one.ledger.grant(account, 6n, later);
  });

  it('refuses more than a million at once and nine millions in all, and unknown accounts', async () => {
    const keeper = await bookkeeper(await fresh());
    const { ledger } = keeper;
    const account = await newAccount(keeper);
    await expect(ledger.grant(account, MILLION + 1n)).rejects.toMatchObject({ status: 400 });
    for (let count = 0; count < 9; count += 1) await ledger.grant(account, MILLION);
    await expect(ledger.grant(account, 1n)).rejects.toMatchObject({ status: 400 });
    expect(await creditOf(keeper, account)).toMatchObject({ balance_units: 9n * MILLION });
    const unknown = { status: 404 };
    await expect(ledger.grant('nobody', 1n)).rejects.toMatchObject(unknown);
    await expect(ledger.entries('nobody', { limit: 1 })).rejects.toMatchObject(unknown);
    const limiting = keeper.database.write((transaction) =>
      ledger.setLimited(transaction, 'nobody', 1n),
    );
    await expect(limiting).rejects.toMatchObject(unknown);
  });

  it('takes back millions at once, and lowers a balance by as much', async () => {
    const keeper = await bookkeeper(await fresh());
    const { ledger } = keeper;
    const account = await newAccount(keeper);
    for (let count = 0; count < 9; count += 1) await ledger.grant(account, MILLION);
    await ledger.grant(account, -3n * MILLION);
    await keeper.database.write((transaction) => ledger.setLimited(transaction, account, MILLION));
    await expect(ledger.grant(account, -2n * MILLION)).rejects.toMatchObject({
      status: 400,
      message: 'Only 1000000 USD can be taken back.',
    });
    const credit = await creditOf(keeper, account);
    expect(credit).toMatchObject({ balance_units: MILLION });
    expectBalanced(credit);
  });

  it('limits an account, frees it and limits it again, also while calls are running', async () => {
    const keeper = await bookkeeper(await fresh());
    const account = await newAccount(keeper);
    const caller = callerOf(account, { spendLimit: { amount: 1_000n, per: 'total' } });
    const limit = (balance: bigint | null) =>
      keeper.database.write((transaction) =>
        keeper.ledger.setLimited(transaction, account, balance),
      );
    const charged = async (amount: bigint) => {
      const hold = await keeper.holds.hold(caller, facts('req'), amount);
      return { id: hold!.id, caller, requestId: 'req', hold };
    };
    const before = await charged(100n);
    await expect(keeper.ledger.grant(account, 99n)).rejects.toMatchObject({ status: 400 });
    await limit(500n);
    expect(await creditOf(keeper, account)).toMatchObject({ balance_units: 500n, limited: 1 });
    await keeper.charges.release(before);
    expectBalanced(await creditOf(keeper, account));
    const during = await charged(200n);
    await limit(null);
    expect(await creditOf(keeper, account)).toMatchObject({ balance_units: 0n, ledger_units: 0n });
    await keeper.charges.release(during);
    await limit(70n);
    const credit = await creditOf(keeper, account);
    expect(credit).toMatchObject({ balance_units: 70n, held_units: 0n });
    expectBalanced(credit);
    await limit(20n);
    expectBalanced(await creditOf(keeper, account));
  });
});

/** Asks again after a 503, as a caller would; the one before may have been done all the same. */
async function untilServed<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if ((error as { status?: number }).status !== 503) throw error;
    }
  }
}
