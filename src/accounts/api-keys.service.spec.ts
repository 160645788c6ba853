import { afterEach, expect, it, jest } from '@jest/globals';
import { sql } from 'kysely';
import { type DatabaseSettings, describeEveryEngine } from '../../test/support/databases.js';
import { readConfig } from '../config/read-config.js';
import { Database } from '../database/database.service.js';
import { ApiKeys } from './api-keys.service.js';
import { type NewKey } from './stored-key.js';

const opened: Database[] = [];

afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(opened.splice(0).map((database) => database.onApplicationShutdown()));
});

async function open(settings: DatabaseSettings & { KEY_PEPPER?: string }) {
  const config = readConfig({ ...settings });
  const database = new Database(config);
  opened.push(database);
  const apiKeys = new ApiKeys(database, config);
  await database.onModuleInit();
  await database.write((transaction) =>
    transaction
      .insertInto('accounts')
      .values({
        id: 'acc',
        name: 'a',
        region: 'eu',
        models: '["openai/*"]',
        rate_limit: '7/s',
        disabled: false,
        created_at: 1,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  );
  const create = (different: Partial<NewKey> = {}) =>
    database.write((transaction) =>
      apiKeys.create(transaction, {
        ...{ accountId: 'acc', name: 'k', type: 'live', scopes: ['inference'] },
        ...different,
      }),
    );
  return { database, apiKeys, create };
}

const monotonic = performance.now.bind(performance);

/** Moves the monotonic clock forward by so much in all, and leaves the timers alone. */
function advance(ms: number): void {
  jest.spyOn(performance, 'now').mockImplementation(() => monotonic() + ms);
}

describeEveryEngine('ApiKeys', ({ fresh }) => {
  it('says who is behind a key', async () => {
    const { apiKeys, create } = await open(await fresh());
    const text = await create({ type: 'sandbox', models: ['a/b'], rateLimit: '5/m' });
    expect(await apiKeys.identify(text)).toEqual({
      ended: false,
      guess: false,
      caller: {
        accountId: 'acc',
        keyId: expect.stringMatching(/^key_[0-9a-f]{24}$/),
        keyType: 'sandbox',
        scopes: ['inference'],
        region: 'eu',
        accountModels: ['openai/*'],
        keyModels: ['a/b'],
        accountRateLimit: '7/s',
        keyRateLimit: '5/m',
        limited: false,
        spendLimit: null,
        budgetId: expect.stringMatching(/^key_[0-9a-f]{24}$/),
        keyTokensPerMinute: null,
        accountMaxConcurrent: null,
        keyMaxConcurrent: null,
      },
    });
  });

  it('tells a guess from a wrong key that it refused a moment ago', async () => {
    const { apiKeys, create } = await open(await fresh());
    const wrong = `${(await create()).slice(0, 30)}${'z'.repeat(21)}`;
    expect(await apiKeys.identify(wrong)).toEqual({ caller: undefined, ended: false, guess: true });
    expect(await apiKeys.identify(wrong)).toEqual({
      caller: undefined,
      ended: false,
      guess: false,
    });
  });

  it('keeps no text of a key', async () => {
    const { apiKeys, create, database } = await open(await fresh());
    const text = await create();
    await apiKeys.identify(text);
    const { rows } = await database.read((kysely) =>
      sql<object>`select * from api_keys`.execute(kysely),
    );
    expect(JSON.stringify(rows)).toContain(text.slice(0, 12));
    expect(JSON.stringify(rows)).not.toContain(text.slice(0, 14));
  });

  it('asks the database once for a key that is used all the time', async () => {
    const { apiKeys, create, database } = await open(await fresh());
    const text = await create();
    const read = jest.spyOn(database, 'read');
    await Promise.all(Array.from({ length: 50 }, () => apiKeys.identify(text)));
    expect(read).toHaveBeenCalledTimes(1);
  });

  it.each(['revoked_at', 'disabled', 'account'] as const)(
    'refuses within five seconds what was switched off (%s)',
    async (what) => {
      const { apiKeys, create, database } = await open(await fresh());
      const text = await create();
      expect((await apiKeys.identify(text)).caller).toBeDefined();
      await database.write(async (transaction) => {
        if (what === 'account') {
          await transaction.updateTable('accounts').set({ disabled: true }).execute();
          return;
        }
        const off = what === 'disabled' ? { disabled: true } : { revoked_at: 1 };
        await transaction.updateTable('api_keys').set(off).execute();
      });
      advance(3_000);
      expect((await apiKeys.identify(text)).caller).toBeDefined();
      advance(4_000);
      expect(await apiKeys.identify(text)).toEqual({
        caller: undefined,
        ended: true,
        guess: false,
      });
    },
  );

  it('sees a change at once that it is told of, also when a lookup began before', async () => {
    const { apiKeys, create, database } = await open(await fresh());
    const text = await create();
    await apiKeys.identify(text);
    const change = (disabled: boolean) =>
      database.write((transaction) =>
        transaction.updateTable('api_keys').set({ disabled }).execute(),
      );
    await change(true);
    apiKeys.forget();
    expect((await apiKeys.identify(text)).caller).toBeUndefined();

    await change(false);
    apiKeys.forget();
    const read = database.read.bind(database);
    jest.spyOn(database, 'read').mockImplementationOnce(async (query) => {
      const found = await read(query);
      await change(true);
      apiKeys.forget();
      return found;
    });
    await apiKeys.identify(text);
    expect((await apiKeys.identify(text)).caller).toBeUndefined();
  });

  it('refuses an expired key from that very moment on', async () => {
    const { apiKeys, create } = await open(await fresh());
    const expiresAt = Date.now() + 3_000;
    const text = await create({ expiresAt });
    expect((await apiKeys.identify(text)).caller).toBeDefined();
    const date = jest.spyOn(Date, 'now');
    date.mockReturnValue(expiresAt - 1);
    expect((await apiKeys.identify(text)).caller).toBeDefined();
    date.mockReturnValue(expiresAt);
    expect((await apiKeys.identify(text)).caller).toBeUndefined();
  });

  it('makes one pepper for all processes, and keeps it', async () => {
    const settings = await fresh();
    const [first, second] = await Promise.all([open(settings), open(settings)]);
    const text = await first.create();
    expect((await second.apiKeys.identify(text)).caller).toBeDefined();
    const third = await open(settings);
    expect((await third.apiKeys.identify(text)).caller).toBeDefined();
  });

  it('prefers the configured pepper', async () => {
    const settings = await fresh();
    const peppered = await open({ ...settings, KEY_PEPPER: 'p'.repeat(24) });
    const text = await peppered.create();
    expect((await peppered.apiKeys.identify(text)).caller).toBeDefined();
    const plain = await open(settings);
    expect((await plain.apiKeys.identify(text)).caller).toBeUndefined();
  });
});
