import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { asked, causeway, causewayHere } from './support/command-line.js';
import { describeEveryEngine } from './support/databases.js';
import { type GatewayProcess, startGatewayProcess } from './support/gateway-process.js';
import { until } from './support/until.js';

describeEveryEngine('the command line', (engine) => {
  let settings: Record<string, string>;
  let id: string;
  const run = (...args: string[]) => causewayHere(settings, ...args);
  const ask = (...args: string[]) => asked(settings, ...args);

  beforeAll(async () => {
    settings = { ...(await engine.fresh()) };
  });

  it('migrate says what it has applied, and the second time that there is nothing to do', async () => {
    const first = await ask('migrate');
    expect(first).toMatchObject({ database: engine.name });
    expect(first.applied).toEqual(first.applied.map((_: number, index: number) => index + 1));
    expect(first.applied.length).toBeGreaterThan(0);
    const again = await run('migrate');
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(again.stdout).toMatch(/nothing to do/i);
  });

  it('makes accounts, shows them and lists them page by page', async () => {
    const made = await ask(
      ...['accounts', 'create', '--name', 'Blue', '--credits', '12.000000000001'],
      ...['--models', 'openai/*,sandbox/*', '--region', 'EU', '--rate-limit', '5/s'],
      ...['--max-concurrent', '3'],
    );
    expect(made).toMatchObject({
      name: 'Blue',
      credits: { balance: 12.000000000001, held: 0, spent: 0 },
      models: ['openai/*', 'sandbox/*'],
      region: 'eu',
      rate_limit: '5/s',
      max_concurrent: 3,
      disabled: false,
    });
    id = made.id as string;
    await ask('accounts', 'create', '--name', 'Second');
    expect(await ask('accounts', 'show', id)).toEqual(made);

    const [newest, rest] = [
      await run('accounts', 'list', '--limit', '1'),
      await ask('accounts', 'list'),
    ];
    expect(rest.data.map(({ name }: { name: string }) => name)).toEqual(['Second', 'Blue']);
    expect(newest.stdout).toContain('Second');
    expect(newest.stdout).not.toContain('Blue');
    const [, cursor = ''] = /--cursor (\S+)/.exec(newest.stderr) ?? [];
    const next = await ask('accounts', 'list', '--cursor', cursor);
    expect(next).toMatchObject({ data: [{ id }], next_cursor: null });
  });

  it('prints aligned columns without colours', async () => {
    const { stdout } = await run('accounts', 'list');
    const [header = '', ...rows] = stdout.trimEnd().split('\n');
    for (const title of ['NAME', 'STATE', 'CREATED']) {
      const at = header.indexOf(title);
      for (const row of rows) expect(row.slice(at - 2, at + 1)).toMatch(/^ {2}\S$/);
    }
    expect(stdout).not.toContain('\u001b');
    expect(rows.join()).toContain('12.000000000001');
  });

  it('changes an account, and the value none takes a setting away', async () => {
    const changed = await ask('accounts', 'update', id, '--disable', '--region', 'none');
    expect(changed).toMatchObject({ disabled: true, region: null, rate_limit: '5/s' });
    const again = await ask('accounts', 'update', id, '--enable', '--rate-limit', 'none');
    expect(again).toMatchObject({ disabled: false, rate_limit: null, name: 'Blue' });
  });

  it('grants credit once for one idempotency key, and takes back what is there', async () => {
    const grant = ['credits', 'grant', id, '--amount', '0.0000001', '--idempotency-key', 'k'];
    const first = await run(...grant, '--json');
    // Not 1e-7: who reads decimals shall not need to know of exponents.
    expect(first.stdout).toContain('"amount": 0.0000001');
    expect(await ask(...grant)).toEqual(first.json);
    expect(await run(...grant, '--note', 'other')).toMatchObject({ code: 1 });
    await ask('credits', 'grant', id, '--amount', '-2', '--note', 'back');

    const { stdout } = await run('credits', 'balance', id);
    expect(stdout).toMatch(/ 10\.000000100001 +0 +0$/m);
    const ledger = await ask('credits', 'ledger', id, '--limit', '2');
    expect(ledger.data).toMatchObject([
      { type: 'grant', amount: -2, note: 'back' },
      { type: 'grant', amount: 0.0000001 },
    ]);
    const rest = await ask('credits', 'ledger', id, '--cursor', ledger.next_cursor);
    expect(rest).toMatchObject({ data: [{ amount: 12.000000000001 }], next_cursor: null });
    expect((await run('credits', 'grant', id, '--amount', '-99')).stderr).toContain(
      '10.000000100001',
    );
  });

  it('loses no digit of a large amount', async () => {
    const made = await run('accounts', 'create', '--name', 'Rich', '--credits', '999999', '--json');
    const rich = made.json.id as string;
    await ask('credits', 'grant', rich, '--amount', '0.000000000001');
    // A JSON number as a float would be 999999.
    const [json, text, list] = [
      await run('accounts', 'show', rich, '--json'),
      await run('accounts', 'show', rich),
      await run('accounts', 'list'),
    ];
    for (const { stdout } of [json, text, list]) expect(stdout).toContain('999999.000000000001');
  });

  it('makes, lists, rotates and revokes keys, and shows a text once', async () => {
    const made = await run(
      ...['keys', 'create', id, '--name', 'ci', '--models', 'sandbox/*', '--spend-limit', '5/day'],
      ...['--tokens-per-minute', '1000', '--expires-at', '2099-01-01'],
    );
    const [text = ''] = /cw_live_\S{30,}/.exec(made.stdout) ?? [];
    expect(text).not.toBe('');
    const { data } = await ask('keys', 'list', id);
    expect(data).toMatchObject([
      { name: 'ci', spend_limit: { amount: 5, per: 'day' }, tokens_per_minute: 1000 },
    ]);
    expect(JSON.stringify(data)).not.toContain(text);

    const old = data[0].id as string;
    const fresh = await ask('keys', 'rotate', old, '--overlap-seconds', '60');
    expect(fresh).toMatchObject({ name: 'ci', models: ['sandbox/*'], scopes: ['inference'] });
    expect(fresh.key).toMatch(/^cw_live_/);
    expect(await ask('keys', 'revoke', old)).toMatchObject({ id: old, disabled: true });
    expect(await run('keys', 'revoke', old)).toMatchObject({ code: 1 });
    const { stdout } = await run('keys', 'list', id);
    expect(stdout).toContain(fresh.id);
    expect(stdout).not.toContain(old);
  });

  describe('beside a running gateway', () => {
    let gateway: GatewayProcess;
    const call = async (key: string): Promise<number> => {
      const response = await fetch(`${gateway.url}/v3/v1/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          model: 'sandbox/echo',
          max_tokens: 100,
          messages: [{ role: 'user', content: 'Hello' }],
        }),
      });
      await response.text();
      return response.status;
    };
    beforeAll(async () => {
      gateway = await startGatewayProcess({ DATA_DIR: '', ...settings });
    });
    afterAll(() => gateway.kill());

    it('makes a key that works at once, and revokes it within five seconds', async () => {
      const { id: key, key: text } = await ask('keys', 'create', id, '--name', 'beside');
      // Several, so that the log below has pages.
      for (let calls = 0; calls < 3; calls += 1) expect(await call(text as string)).toBe(200);
      await ask('keys', 'revoke', key);
      await until(async () => {
        await delay(200);
        return (await call(text as string)) === 401;
      });
    });

    it('writes while the gateway writes', async () => {
      const { id: busyOne } = await ask('accounts', 'create', '--name', 'Busy', '--credits', '9');
      const { key } = await ask('keys', 'create', busyOne, '--name', 'busy');
      let busy = true;
      const calls = Array.from({ length: 4 }, async () => {
        const seen: number[] = [];
        while (busy) {
          seen.push(await call(key as string));
          await delay(20);
        }
        return seen;
      });
      const grant = (amount: string) => ['credits', 'grant', busyOne as string, '--amount', amount];
      // One beside the other and both beside the gateway: for SQLite, that is three processes.
      const beside = engine.name === 'sqlite' ? causeway : causewayHere;
      const grants = await Promise.all([
        beside(settings, ...grant('1')),
        run(...grant('2')).then(async (second) => [second, await run(...grant('3'))]),
      ]);
      busy = false;
      expect(grants.flat().map(({ code }) => code)).toEqual([0, 0, 0]);
      expect(new Set((await Promise.all(calls)).flat())).toEqual(new Set([200]));
    });

    it('reports what was used, to the last digit of the ledger', async () => {
      const [, balance] = [await call('unknown'), await ask('credits', 'balance', id)];
      const report = await run('usage', '--account-id', id, '--group-by', 'day,model', '--json');
      expect(report.json.data).toMatchObject([{ model: 'sandbox/echo', errors: 0 }]);
      const [row] = report.json.data;
      expect(row.day).toBe(new Date().toISOString().slice(0, 10));
      expect(row.cost).toBe(balance.credits.spent);

      const log = await ask('usage', 'requests', '--account-id', id, '--limit', '2');
      expect(log.data).toHaveLength(2);
      expect(log.next_cursor).not.toBeNull();
      const { request_id: request } = log.data[0] as { request_id: string };
      expect(await ask('usage', 'request', request)).toEqual(log.data[0]);
      const table = await run('usage', 'report', '--account-id', id, '--group-by', 'model');
      expect(table.stdout).toMatch(/^MODEL +REQUESTS +ERRORS .*\nsandbox\/echo +\d+ +0 /);
      const none = await run('usage', 'report', '--from', '2001-01-01', '--to', '2001-01-02');
      expect(none).toMatchObject({ code: 0, stdout: 'Nothing was used.\n' });
    });
  });
});

describe('the command line used wrongly', () => {
  let directory: string;
  let settings: Record<string, string>;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'causeway-cli-'));
    settings = { DATA_DIR: directory };
  });
  afterAll(() => {
    rmSync(directory, { recursive: true, force: true });
  });

  it.each([
    ['frob', 2, causeway],
    ['accounts create --name a --credits much', 2, causewayHere],
    ['usage report --group-by colour', 2, causewayHere],
    ['accounts show acc_nobody', 1, causewayHere],
    ['migrate', 0, causewayHere],
  ])('%s: ends with %i, and says why in one line', async (line, expected, run) => {
    const { code, stderr } = await run(settings, ...line.split(' '));
    expect(code).toBe(expected);
    const said = stderr.split('\n').filter((text) => !text.includes('so one is made'));
    expect(said).toEqual(expected === 0 ? [''] : [expect.stringMatching(/^causeway: /), '']);
  });

  it('says in plain words why there is no database, and no password', async () => {
    const away = { ...settings, DATABASE_URL: 'postgres://user:pa55word@127.0.0.1:1/none' };
    const { code, stderr } = await causewayHere(away, 'accounts', 'list');
    expect(code).toBe(1);
    expect(stderr).toBe(
      'causeway: The database of DATABASE_URL cannot be opened: connection refused.\n',
    );
  });

  it('lists every setting that is wrong', async () => {
    const wrong = { ...settings, PORT: 'x', LOG_LEVEL: 'loud' };
    const { code, stderr } = await causewayHere(wrong, 'accounts', 'list');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^causeway: PORT .*\ncauseway: LOG_LEVEL .*\n$/);
  });

  it('does not obey what somebody has put into a name', async () => {
    const name = 'red\u001b[31m\u0007\nacc_fake';
    await asked(settings, 'accounts', 'create', '--name', name);
    const { stdout } = await causewayHere(settings, 'accounts', 'list');
    expect(stdout).not.toMatch(/[\u0007\u001b]|^acc_fake/m);
    expect(stdout).toContain('red');
  });

  it('says so when a database is made, which a wrong directory would be', async () => {
    const elsewhere = { DATA_DIR: join(directory, 'elsewhere') };
    const { stderr } = await causewayHere(elsewhere, 'accounts', 'list');
    expect(stderr).toContain(elsewhere.DATA_DIR);
    expect((await causewayHere(elsewhere, 'accounts', 'list')).stderr).toBe('');
  });

  it('leaves the first keys to the gateway, which shows them', async () => {
    const { data } = await asked(settings, 'accounts', 'list');
    expect(data.map(({ id }: { id: string }) => id)).not.toContain('acc_default');
  });

  it('helps', async () => {
    const [all, accounts, create, help] = await Promise.all([
      causeway(settings, '--help'),
      causewayHere(settings, 'accounts', '--help'),
      causewayHere(settings, 'accounts', 'create', '--help'),
      causewayHere(settings, 'help', 'accounts', 'create'),
    ]);
    for (const command of ['serve', 'migrate', 'accounts', 'keys', 'credits', 'usage', 'doctor']) {
      expect(all.stdout).toMatch(new RegExp(`^ +${command}\\b`, 'm'));
    }
    expect(accounts.stdout).toContain('accounts update');
    expect(accounts.stdout).not.toContain('keys create');
    expect(create.stdout).toContain('--rate-limit');
    expect(help.stdout).toBe(create.stdout);
    expect([all, accounts, create, help].map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  });

  it('tells its version', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect((await causewayHere(settings, '--version')).stdout).toBe(`${version}\n`);
  });
});
