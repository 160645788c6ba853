import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextRound } from 'node:timers/promises';
import { makeBookkeeper } from '../../test/support/bookkeeper.js';
import { temporaryDirectory } from '../../test/support/databases.js';
import { until } from '../../test/support/until.js';
import { ledgerRow, type SettlementEntry } from './entries.js';
import { type KeptEntries } from './outbox.service.js';

const never = new Promise<void>(() => undefined);

const entry = (requestId: string): SettlementEntry => ({
  ...{ kind: 'settlement', request: null, holdId: requestId, requestId },
  ...{ accountId: 'acc_1', keyId: 'key_1', limited: true, spendWindow: null },
  ledger: ledgerRow('charge'),
});

const idsIn = async (kept: readonly KeptEntries[]) => {
  const ids: unknown[] = [];
  for (const { entries } of kept) {
    for await (const some of entries) ids.push(...some.map(({ holdId }) => holdId));
  }
  return ids;
};

const scene = () => {
  const settings = { DATA_DIR: temporaryDirectory() };
  const directory = join(settings.DATA_DIR, 'outbox');
  const files = () => (existsSync(directory) ? readdirSync(directory) : []);
  return {
    directory,
    files,
    kept: () =>
      files()
        .map((name) => readFileSync(join(directory, name), 'utf8'))
        .join(''),
    own: makeBookkeeper(settings).outbox,
    other: makeBookkeeper(settings).outbox,
  };
};

describe('Outbox', () => {
  it('goes when all of it is booked', async () => {
    const { own, files } = scene();
    await Promise.all(['one', 'two'].map((name) => own.keep(entry(name), Promise.resolve())));
    await until(() => files().length === 0);
    expect(own.size).toBe(0);
  });

  it('counts nothing that the disk has refused', async () => {
    const { own, directory } = scene();
    // A file stands where the directory is to be made.
    writeFileSync(directory, '');
    await expect(own.keep(entry('lost'), Promise.resolve())).rejects.toThrow();
    expect(own.size).toBe(0);
  });

  it('keeps what is put in while its file goes', async () => {
    const { own, kept } = scene();
    const lost: string[] = [];
    for (let turn = 0; turn < 200; turn += 1) {
      const { promise: booked, resolve: book } = Promise.withResolvers<undefined>();
      await own.keep(entry(`first-${turn}`), booked);
      book(undefined);
      // As the file begins to go, or a little later.
      for (let rounds = turn % 4; rounds > 0; rounds -= 1) await nextRound();
      const { promise, resolve } = Promise.withResolvers<undefined>();
      await own.keep(entry(`second-${turn}`), promise);
      if (!kept().includes(`second-${turn}`)) lost.push(`${turn}`);
      resolve(undefined);
      while (own.size > 0) await nextRound();
    }
    expect(lost).toEqual([]);
  });

  it('keeps what is put in while another process books it that takes this one for dead', async () => {
    const { own, other, files, kept } = scene();
    await own.keep(entry('early'), never);
    const taken = await other.others(new Set());
    await own.keep(entry('late'), never);
    expect(await idsIn(taken)).toEqual(['early']);
    for (const { remove } of taken) await remove();
    expect(kept()).toContain('late');
    const rest = await other.others(new Set());
    expect(await idsIn(rest)).toEqual(['late']);
    for (const { remove } of rest) await remove();
    expect(files()).toEqual([]);
  });

  it('leaves the file to a process that lives', async () => {
    const { own, other, files } = scene();
    await own.keep(entry('kept'), never);
    const before = files();
    const living = new Set(before.map((name) => name.replace('.jsonl', '')));
    const [only] = await other.others(living);
    expect(await idsIn([only!])).toEqual(['kept']);
    await only?.remove();
    expect(files()).toEqual(before);
  });
});
