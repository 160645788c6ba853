import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { causewayHere } from '../../test/support/command-line.js';

describe('a command line', () => {
  let directory: string;
  const run = (...args: string[]) => causewayHere({ DATA_DIR: directory }, ...args);
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'causeway-test-'));
  });
  afterAll(() => {
    rmSync(directory, { recursive: true, force: true });
  });

  it.each([
    ['frob', 'frob'],
    ['accounts', 'create'],
    ['accounts frob', 'frob'],
    ['accounts show', 'ACCOUNT'],
    ['accounts show a b', "'b'"],
    ['accounts create', '--name'],
    ['accounts create --name', '--name'],
    ['accounts create --name a --name b', '--name'],
    ['accounts create --name a --colour red', '--colour'],
    ['accounts create --name a --credits much', '--credits'],
    ['accounts create --name a --credits -1', '--credits'],
    ['accounts create --name a --credits 1e3', '--credits'],
    ['accounts create --name a --credits 0.0000000000001', '12 decimals'],
    ['accounts create --name a --credits 900000.123456789012', '15 digits'],
    ['accounts create --name a --rate-limit 5', '--rate-limit'],
    ['accounts create --name a --max-concurrent 1.5', '--max-concurrent'],
    ['accounts create --name a --region ../x', '--region'],
    ['accounts update acc_default', 'something to change'],
    ['accounts update acc_default --enable --disable', '--disable'],
    ['accounts list --limit 0', '--limit'],
    ['accounts list --cursor bad!', '--cursor'],
    ['keys create acc_default --name a --type dead', '--type'],
    ['keys create acc_default --name a --scopes root', '--scopes'],
    ['keys create acc_default --name a --spend-limit 5', '--spend-limit'],
    ['keys create acc_default --name a --spend-limit 5/year', '--spend-limit'],
    ['keys rotate key_x --overlap-seconds -1', '--overlap-seconds'],
    ['credits grant acc_default', '--amount'],
    ['credits grant acc_default --amount 0', '--amount'],
    ['usage report --group-by colour', '--group-by'],
    ['usage report --from yesterday', '--from'],
    ['usage report --from 2026-02-01 --to 2026-01-01', '--to'],
    ['usage requests --outcome good', '--outcome'],
    ['migrate now', "'now'"],
    ['serve --port 80', '--port'],
  ])('%s: one line that names %s, and 2', async (line, named) => {
    const { code, stdout, stderr } = await run(...line.split(' '));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    const said = stderr.split('\n').filter((text) => !text.includes('so one is made'));
    expect(said).toEqual([expect.stringMatching(/^causeway: /), '']);
    expect(said[0]).toContain(named);
  });

  it.each([
    ['accounts show acc_nobody', 'acc_nobody'],
    ["accounts show ';drop--", 'no account'],
    ['keys list acc_nobody', 'acc_nobody'],
    ['keys revoke key_nothing', 'key_nothing'],
    ['credits grant acc_nobody --amount 1', 'acc_nobody'],
    ['usage request req_nothing', 'req_nothing'],
  ])('%s: what is not there is 1', async (line, named) => {
    const { code, stdout, stderr } = await run(...line.split(' '));
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(named);
  });

  it('may have --json in front, and numbers below zero behind an option', async () => {
    const made = await run('--json', 'accounts', 'create', '--name', 'a', '--credits', '.50');
    const { id, credits } = JSON.parse(made.stdout) as { id: string; credits: object };
    expect(credits).toEqual({ balance: 0.5, held: 0, spent: 0 });
    const taken = await run('credits', 'grant', id, '--amount', '-0.25', '--json');
    expect(JSON.parse(taken.stdout)).toMatchObject({ amount: -0.25 });
  });

  it('is a report for usage alone', async () => {
    const [alone, named] = [await run('usage', '--json'), await run('usage', 'report', '--json')];
    expect(alone).toEqual(named);
    expect(JSON.parse(alone.stdout)).toEqual({ data: [] });
  });
});
