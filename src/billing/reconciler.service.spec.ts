import { expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { callerOf, facts } from '../../test/support/bookkeeper.js';
import { bookkeeper, creditOf, expectBalanced, newAccount } from '../../test/support/books.js';
import { describeEveryEngine, type DatabaseSettings } from '../../test/support/databases.js';
import { until } from '../../test/support/until.js';
import { usageRecord } from '../../test/support/usage-record.js';
import { keyRow } from '../accounts/stored-key.js';

const FAST = { RECONCILE_AFTER_S: '1' };

describeEveryEngine('Reconciler', ({ fresh }) => {
  /** A process that beats, and one that holds 100 and does not. */
  const scene = async (settings: DatabaseSettings) => {
    const silent = await bookkeeper({ ...settings, ...FAST });
    const beating = await bookkeeper({ ...settings, ...FAST });
    beating.reconciler.onModuleInit();
    const accountId = await newAccount(silent, 1_000n);
    const caller = callerOf(accountId, { spendLimit: { amount: 500n, per: 'total' } });
    const call = { ...facts('lost'), user: 'ann', metadata: { team: 'search' } };
    const hold = await silent.holds.hold(caller, call, 100n);
    const charged = { id: hold!.id, caller, requestId: 'lost', hold };
    const credit = () => creditOf(silent, accountId);
    return { silent, beating, accountId, caller, charged, credit };
  };

  it('settles what a dead process held at that amount, and nothing of a live one', async () => {
    const { silent, beating, accountId, caller, credit } = await scene(await fresh());
    const running = await beating.holds.hold(caller, facts('running'), 30n);
    await until(async () => (await credit()).held_units === 30n);
    expect(await credit()).toMatchObject({ balance_units: 870n, spent_units: 100n });
    expectBalanced(await credit());
    const { data } = await silent.ledger.entries(accountId, { limit: 1 });
    expect(data).toMatchObject([{ type: 'reconciled', amount: -100n, request_id: 'lost' }]);
    const requests = await silent.database.read((kysely) =>
      kysely.selectFrom('requests').selectAll().execute(),
    );
    expect(requests).toMatchObject([
      {
        ...{ request_id: 'lost', outcome: 'error', estimated: 1, cost_units: 100n, status: 0 },
        ...{ endpoint: '/embeddings', requested_model: 'openai/text-embedding-3-small' },
        ...{ model: 'openai/text-embedding-3-small', provider: 'openai' },
        ...{ user: 'ann', metadata: '{"team":"search"}', created_at: 1_763_650_000_123 },
      },
    ]);
    // Longer than the time after which a process counts as dead.
    await delay(1_500);
    expect((await credit()).held_units).toBe(30n);
    const processes = await silent.database.read((kysely) =>
      kysely.selectFrom('processes').select('id').execute(),
    );
    expect(processes).toEqual([{ id: beating.processes.id }]);
    await beating.charges.release({ id: '', caller, requestId: 'running', hold: running });
  });

  it.each([
    ['has one row', undefined],
    ['is set right when it was settled late', 70n],
  ])('a call that was tried twice at the same time %s', async (_, cost) => {
    const { silent, accountId, caller, charged, credit } = await scene(await fresh());
    const { hold: beside } = charged;
    const second = await silent.holds.hold(caller, facts('lost'), 90n, { beside });
    await silent.holds.hold(caller, facts('lost'), 20n);
    await until(async () => (await credit()).held_units === 0n);
    const rows = () =>
      silent.database.read((kysely) =>
        kysely.selectFrom('requests').select(['id', 'cost_units']).orderBy('cost_units').execute(),
      );
    expect(await rows()).toMatchObject([{ cost_units: 20n }, { cost_units: 190n }]);
    expect(await credit()).toMatchObject({ balance_units: 790n, spent_units: 210n });
    expectBalanced(await credit());
    if (cost === undefined) return;
    const record = usageRecord({ cost, accountId, keyId: caller.keyId });
    await silent.charges.release({ ...charged, id: second!.id, hold: second });
    await silent.charges.settle(charged, record);
    expect(await rows()).toMatchObject([{ cost_units: 20n }, { cost_units: cost }]);
    expect(await credit()).toMatchObject({ balance_units: 980n - cost, spent_units: 20n + cost });
    expectBalanced(await credit());
  });

  it('leaves one row for a call that was tried twice among many others', async () => {
    const settings = await fresh();
    const silent = await bookkeeper({ ...settings, ...FAST });
    const caller = callerOf(await newAccount(silent, 1_000n));
    // More than are settled at a time, at an odd place too.
    const calls = Array.from({ length: 101 }, async (_, at) => {
      const beside = await silent.holds.hold(caller, facts(`lost ${at}`), 1n);
      if (at > 0) await silent.holds.hold(caller, facts(`lost ${at}`), 2n, { beside });
    });
    await Promise.all(calls);
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const beating = await bookkeeper({ ...settings, ...FAST });
    beating.reconciler.onModuleInit();
    await until(() => warn.mock.calls.length > 0);
    expect(warn.mock.calls).toEqual([['101 calls of a process that died have been settled']]);
    warn.mockRestore();
    const rows = await silent.database.read((kysely) =>
      kysely.selectFrom('requests').select('cost_units').execute(),
    );
    expect(rows.map(({ cost_units }) => cost_units).sort()).toEqual([1n, ...Array(100).fill(3n)]);
    expectBalanced(await creditOf(silent, caller.accountId));
  });

  it.each([
    ['gives back what a call cost less', 40n, 960n, 'refund', 60n],
    ['charges what it cost more', 150n, 850n, 'charge', -50n],
  ])('%s that was settled late, once', async (_, cost, balance, type, amount) => {
    const { silent, accountId, charged, credit } = await scene(await fresh());
    await until(async () => (await credit()).held_units === 0n);
    const record = usageRecord({ cost, accountId, keyId: charged.caller.keyId });
    await silent.charges.settle(charged, record);
    await silent.charges.settle(charged, record);
    expect(await credit()).toMatchObject({ balance_units: balance, spent_units: cost });
    expectBalanced(await credit());
    const { data } = await silent.ledger.entries(accountId, { limit: 10 });
    expect(data.map((entry) => entry.type)).toEqual([type, 'reconciled', 'grant']);
    expect(data[0]!.amount).toBe(amount);
  });

  it('gives nothing back that nobody had paid, as the account had no limit then', async () => {
    const settings = await fresh();
    const silent = await bookkeeper({ ...settings, ...FAST });
    const beating = await bookkeeper({ ...settings, ...FAST });
    beating.reconciler.onModuleInit();
    const accountId = await newAccount(silent);
    const spendLimit = { amount: 500n, per: 'total' } as const;
    const caller = callerOf(accountId, { limited: false, spendLimit });
    const hold = await silent.holds.hold(caller, facts('lost'), 100n);
    const charged = { id: hold!.id, caller, requestId: 'lost', hold };
    const rows = () =>
      silent.database.read((kysely) => kysely.selectFrom('requests').select('status').execute());
    await until(async () => (await rows()).length === 1);
    await silent.database.write((transaction) =>
      silent.ledger.setLimited(transaction, accountId, 1_000n),
    );
    const record = usageRecord({ cost: 40n, accountId, keyId: caller.keyId });
    await silent.charges.settle(charged, record);
    const after = await creditOf(silent, accountId);
    expect(after.balance_units).toBeLessThanOrEqual(1_000n);
    expectBalanced(after);
  });

  it('counts what a dead process held for the key that its own one was rotated from', async () => {
    const { silent, beating, accountId } = await scene(await fresh());
    const spendLimit = { amount: 500n, per: 'total' } as const;
    const id = `successor_of_${accountId}`;
    const successor = { ...{ accountId, budgetId: 'first', name: '' }, type: 'live' } as const;
    const row = { ...keyRow({ ...successor, scopes: [] }, { hash: id, prefix: '' }), id };
    await beating.database.write((transaction) =>
      transaction.insertInto('api_keys').values(row).execute(),
    );
    const caller = callerOf(accountId, { spendLimit, keyId: id, budgetId: 'first' });
    await silent.holds.hold(caller, facts('left'), 70n);
    const spending = () =>
      silent.database.read((kysely) =>
        kysely.selectFrom('key_spend').selectAll().where('key_id', 'in', ['first', id]).execute(),
      );
    await until(async () => (await spending())[0]?.held_units === 0n);
    expect(await spending()).toEqual([
      { key_id: 'first', spend_window: 'total', held_units: 0n, spent_units: 70n },
    ]);
  });

  it('settles what a dead process held although an outbox holds what nobody can book', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const settings = await fresh();
    const outbox = join(settings.DATA_DIR, 'outbox');
    mkdirSync(outbox, { recursive: true });
    const broken = { kind: 'settlement', accountId: 'acc_1', request: { id: 'without the rest' } };
    writeFileSync(join(outbox, 'gone.jsonl'), JSON.stringify(broken));
    const { credit } = await scene(settings);
    await until(async () => (await credit()).held_units === 0n);
    expect(await credit()).toMatchObject({ balance_units: 900n, spent_units: 100n });
    expect(error).toHaveBeenCalledWith(expect.stringMatching(/^Settlements wait on the disk: /));
    expect(readdirSync(outbox)).toHaveLength(1);
    error.mockRestore();
  });

  it('settles what a dead process held although the outbox cannot be read', async () => {
    const settings = await fresh();
    const log = jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
    writeFileSync(join(settings.DATA_DIR, 'outbox'), '');
    const { credit } = await scene(settings);
    await until(async () => (await credit()).held_units === 0n);
    expect(await credit()).toMatchObject({ balance_units: 900n, spent_units: 100n });
    expect(log).toHaveBeenCalledWith(expect.stringContaining('ENOTDIR'));
    log.mockRestore();
  });

  it('gives everything back for an attempt that failed late', async () => {
    const { silent, charged, credit } = await scene(await fresh());
    await until(async () => (await credit()).held_units === 0n);
    await silent.charges.release(charged);
    await silent.charges.release(charged);
    expect(await credit()).toMatchObject({ balance_units: 1_000n, spent_units: 0n });
    expectBalanced(await credit());
  });
});
