import { afterEach, expect, it } from '@jest/globals';
import { describeEveryEngine } from '../../test/support/databases.js';
import { readConfig } from '../config/read-config.js';
import { Database } from '../database/database.service.js';
import { ApiKeys } from './api-keys.service.js';
import { FirstStart } from './first-start.service.js';

const opened: Database[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((database) => database.onApplicationShutdown()));
});

async function start(settings: object) {
  const config = readConfig({ ...settings });
  const database = new Database(config);
  opened.push(database);
  const apiKeys = new ApiKeys(database, config);
  const firstStart = new FirstStart(database, apiKeys, config);
  await database.onModuleInit();
  const rows = (table: 'accounts' | 'api_keys') =>
    database.read((kysely) => kysely.selectFrom(table).select('name').execute());
  return { apiKeys, rows, keys: await firstStart.newKeys };
}

const CAUSEWAY_ADMIN_KEY = 'an-admin-key-of-the-operators-own';
const CAUSEWAY_API_KEY = 'an-api-key-of-the-operators-own';

describeEveryEngine('FirstStart', ({ fresh }) => {
  it('makes the account and both keys, once', async () => {
    const settings = await fresh();
    const { apiKeys, keys, rows } = await start(settings);
    expect((await apiKeys.identify(keys.adminKey!)).caller).toMatchObject({
      accountId: 'acc_default',
      keyType: 'live',
      scopes: ['admin'],
    });
    expect((await apiKeys.identify(keys.apiKey!)).caller).toMatchObject({
      accountId: 'acc_default',
      keyType: 'live',
      scopes: ['inference'],
    });
    expect((await start(settings)).keys).toEqual({});
    expect(await rows('accounts')).toEqual([{ name: 'default' }]);
    expect(await rows('api_keys')).toHaveLength(2);
  });

  it('makes them once when several processes start at the same time', async () => {
    const settings = await fresh();
    const started = await Promise.all(Array.from({ length: 5 }, () => start(settings)));
    expect(started.map(({ keys }) => Object.keys(keys).length).sort()).toEqual([0, 0, 0, 0, 2]);
    expect(await started[0]!.rows('api_keys')).toHaveLength(2);
  });

  it('takes configured keys instead, also when several processes start', async () => {
    const settings = { ...(await fresh()), CAUSEWAY_ADMIN_KEY, CAUSEWAY_API_KEY };
    const started = await Promise.all(Array.from({ length: 4 }, () => start(settings)));
    expect(started.map(({ keys }) => keys)).toEqual([{}, {}, {}, {}]);
    expect(await started[0]!.rows('api_keys')).toHaveLength(2);
    const { apiKeys } = await start(settings);
    expect((await apiKeys.identify(CAUSEWAY_ADMIN_KEY)).caller?.scopes).toEqual(['admin']);
    expect((await apiKeys.identify(CAUSEWAY_API_KEY)).caller?.scopes).toEqual(['inference']);
  });

  it('makes only the key that is not configured', async () => {
    const { keys } = await start({ ...(await fresh()), CAUSEWAY_API_KEY });
    expect(keys).toEqual({ adminKey: expect.stringMatching(/^cw_admin_/) });
  });

  it('adopts a key that is configured later', async () => {
    const settings = await fresh();
    const first = await start(settings);
    const { apiKeys, keys } = await start({ ...settings, CAUSEWAY_API_KEY });
    expect(keys).toEqual({});
    expect((await apiKeys.identify(CAUSEWAY_API_KEY)).caller).toBeDefined();
    expect((await apiKeys.identify(first.keys.apiKey!)).caller).toBeDefined();
  });
});
