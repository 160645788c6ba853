import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Database } from '../src/database/database.service.js';
import { UploadCleaner } from '../src/uploads/upload-cleaner.service.js';
import { describeEveryEngine, temporaryDirectory } from './support/databases.js';
import { ADMIN_KEY, API_KEY, type RunningGateway, startGateway } from './support/gateway.js';
import { type GatewayProcess, startGatewayProcess } from './support/gateway-process.js';
import { until } from './support/until.js';
import { PNG } from './support/upload-files.js';
import { ask, beginUpload, upload, uploadedFiles, uploadLong } from './support/uploads.js';

const KEYS = { CAUSEWAY_API_KEY: API_KEY, CAUSEWAY_ADMIN_KEY: ADMIN_KEY, LOG_LEVEL: 'error' };
const running: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) await one.close();
});

async function start(env: Record<string, string>): Promise<RunningGateway> {
  const gateway = await startGateway(env);
  running.push(gateway);
  return gateway;
}
const sweep = (gateway: RunningGateway) =>
  gateway.app.get(UploadCleaner, { strict: false }).sweep();
const rowsOf = (gateway: RunningGateway) =>
  gateway.app
    .get(Database)
    .read((kysely) => kysely.selectFrom('uploads').select(['id', 'state']).execute());

describeEveryEngine('Uploads of a gateway that is killed at any moment', ({ name, fresh }) => {
  it('are whole and listed, or leave neither file nor row', async () => {
    const settings = await fresh();
    const env = { ...settings, ...KEYS };
    const content = Buffer.alloc(300_000, 'some text ');
    const acknowledged = new Set<string>();
    for (let round = 0; round < (name === 'sqlite' ? 2 : 1); round += 1) {
      const gateway = await startGatewayProcess(env);
      const lanes = Array.from({ length: 6 }, async () => {
        for (;;) {
          const answer = await upload(gateway.url, { content }).catch(() => undefined);
          if (answer === undefined) return;
          expect(answer.status).toBe(200);
          acknowledged.add(answer.body.file_id);
        }
      });
      await delay(randomInt(150, 600));
      // A busy machine may not have got so far.
      await until(() => acknowledged.size >= 12 * (round + 1));
      await gateway.kill();
      await Promise.all(lanes);
    }
    // Only those that are killed have to be processes of their own.
    const gateway = await start(env);
    const listed = async () => {
      const { body } = await ask(gateway.url, 'GET /v3/upload?limit=1000');
      return body.items.map(({ file_id }: any) => file_id).sort() as string[];
    };
    await until(async () => String(uploadedFiles(settings.DATA_DIR)) === String(await listed()));
    const ids = new Set(await listed());
    expect([...acknowledged].filter((id) => !ids.has(id))).toEqual([]);
    expect(acknowledged.size).toBeGreaterThan(10);
    for (const id of ids) {
      expect(readFileSync(join(settings.DATA_DIR, 'uploads', id)).equals(content)).toBe(true);
    }
  }, 120_000);
});

describeEveryEngine('What is left of uploads', ({ fresh }) => {
  it('goes once its time is over, whichever process looks first', async () => {
    const settings = await fresh();
    const gateways = [await start({ ...settings }), await start({ ...settings })] as const;
    const [first, second] = gateways;
    for (let count = 0; count < 20; count += 1) await upload(first.url, { content: PNG });
    const kept = await upload(second.url, { content: PNG });
    await first.app.get(Database).write((transaction) =>
      transaction
        .updateTable('uploads')
        .set({ expires_at: Date.now() - 1 })
        .where('id', '!=', kept.body.file_id)
        .execute(),
    );
    await Promise.all([...gateways, ...gateways].map(sweep));
    expect(uploadedFiles(settings.DATA_DIR)).toEqual([kept.body.file_id]);
    expect(await rowsOf(second)).toEqual([{ id: kept.body.file_id, state: 'stored' }]);
  });

  it('is known by its process, and left alone while that runs', async () => {
    const settings = await fresh();
    const gateway = await start({ ...settings });
    const other = await start({ ...settings });
    const incoming = join(settings.DATA_DIR, 'uploads', 'incoming');
    mkdirSync(incoming, { recursive: true });
    const { text, close } = await beginUpload(other.url);
    await until(() => readdirSync(incoming).length === 1);
    const [own] = readdirSync(incoming);
    const [machine] = own!.split('.');
    // No process has that id: it is beyond the largest.
    writeFileSync(join(incoming, `${machine}.4194999.abcdef.x`), 'x');
    writeFileSync(join(incoming, '0123456789ab.1.abcdef.old'), 'x');
    writeFileSync(join(incoming, '0123456789ab.1.abcdef.new'), 'x');
    const hourAgo = Date.now() / 1_000 - 3_600;
    utimesSync(join(incoming, '0123456789ab.1.abcdef.old'), hourAgo, hourAgo);
    await sweep(gateway);
    expect(readdirSync(incoming).sort()).toEqual([own, '0123456789ab.1.abcdef.new'].sort());
    close();
    await until(() => readdirSync(incoming).length === 1);
    expect(text()).toBe('');
  });
});

describeEveryEngine('The quota of an account', ({ fresh }) => {
  it('holds for files that come at the same time', async () => {
    const settings = await fresh();
    const gateway = await start({ ...settings, UPLOAD_QUOTA_FILES: '5', RATE_LIMIT: '1000/s' });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => upload(gateway.url, { content: PNG })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(5).fill(200), ...Array(15).fill(413)]);
    expect(answers.find(({ status }) => status === 413)!.body).toEqual({
      detail: 'The account may keep at most 5 files: delete some before you upload more.',
    });
    expect(uploadedFiles(settings.DATA_DIR)).toHaveLength(5);
    const [{ body: one }] = answers.filter(({ status }) => status === 200) as [any];
    await ask(gateway.url, `DELETE /v3/upload/${one.file_id}`);
    expect((await upload(gateway.url, { content: PNG })).status).toBe(200);
    expect((await upload(gateway.url, { content: PNG })).status).toBe(413);
  });

  it('counts the bytes of files that are still being received', async () => {
    const settings = await fresh();
    const gateway = await start({ ...settings, UPLOAD_QUOTA_BYTES: '1500000' });
    const content = 'x'.repeat(600_000);
    // It says that it brings a megabyte.
    const begun = await beginUpload(gateway.url);
    const files = () => uploadedFiles(settings.DATA_DIR);
    await until(() => files().length === 1);
    expect((await upload(gateway.url, { content })).status).toBe(413);
    begun.close();
    await until(() => files().length === 0);
    expect((await upload(gateway.url, { content })).status).toBe(200);
  });

  it('counts bytes, and not those of files that have expired', async () => {
    const settings = await fresh();
    const gateway = await start({ ...settings, UPLOAD_QUOTA_BYTES: '1000' });
    const text = (length: number) => upload(gateway.url, { content: 'x'.repeat(length) });
    expect((await text(600)).status).toBe(200);
    const { status, body } = await text(401);
    expect([status, body.detail]).toEqual([413, expect.stringContaining('at most 1000 bytes')]);
    expect((await text(400)).status).toBe(200);
    expect((await text(1)).status).toBe(413);
    await gateway.app
      .get(Database)
      .write((transaction) => transaction.updateTable('uploads').set({ expires_at: 1 }).execute());
    expect((await text(1_000)).status).toBe(200);
  });
});

const canMount = (() => {
  try {
    const directory = temporaryDirectory();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4k', 'tmpfs', directory], {
      stdio: 'ignore',
    });
    execFileSync('umount', [directory]);
    return true;
  } catch {
    console.warn('skipped, because nothing can be mounted here: uploads to a disk that is full');
    return false;
  }
})();

(canMount ? describe : describe.skip)('A disk that is full, or read-only', () => {
  const dataDir = temporaryDirectory();
  const uploads = join(dataDir, 'uploads');

  it('is said with 507, leaves nothing, and does not stand in the way later', async () => {
    mkdirSync(uploads);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', uploads]);
    running.push({
      close: () => {
        execFileSync('umount', [uploads]);
        return Promise.resolve();
      },
    });
    const gateway = await startGateway({ DATA_DIR: dataDir });
    running.unshift(gateway);
    const { status, body } = await upload(gateway.url, { content: Buffer.alloc(2_000_000, 'a') });
    const refused = [
      507,
      {
        error: {
          message: 'The gateway has no room left for files.',
          type: 'server_error',
          param: null,
          code: 'insufficient_storage',
        },
      },
    ];
    expect([status, body]).toEqual(refused);
    expect([uploadedFiles(dataDir), await rowsOf(gateway)]).toEqual([[], []]);
    expect((await upload(gateway.url, { content: PNG })).status).toBe(200);
    expect((await ask(gateway.url, 'GET /v3/models')).status).toBe(200);
    execFileSync('mount', ['-o', 'remount,ro', uploads]);
    const late = await upload(gateway.url, { content: PNG });
    expect([late.status, late.body]).toEqual(refused);
    execFileSync('mount', ['-o', 'remount,rw', uploads]);
    expect((await upload(gateway.url, { content: PNG })).status).toBe(200);
  });
});

describe('One gateway that is measured, and stopped last', () => {
  const dataDir = temporaryDirectory();
  let gateway: GatewayProcess;
  beforeAll(async () => {
    gateway = await startGatewayProcess({ DATA_DIR: dataDir, GRACE_MS: '200', ...KEYS });
    await upload(gateway.url, { content: PNG });
  });
  afterAll(() => gateway.kill());

  it('does not hold many large uploads in memory', async () => {
    const resident = () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${gateway.pid}/status`, 'utf8'))![1]) /
      1_024;
    const before = resident();
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, resident());
    }, 20);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => uploadLong(gateway.url, 50 * 1024 * 1024)),
    );
    clearInterval(watch);
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(peak - before).toBeLessThan(125);
  }, 120_000);

  it('keeps no file, no row and no descriptor of uploads that their senders give up', async () => {
    const stored = uploadedFiles(dataDir);
    const { total } = (await ask(gateway.url, 'GET /v3/upload')).body;
    const descriptors = () => readdirSync(`/proc/${gateway.pid}/fd`).length;
    const before = descriptors();
    for (let round = 0; round < 3; round += 1) {
      const begun = await Promise.all(Array.from({ length: 50 }, () => beginUpload(gateway.url)));
      for (const { close } of begun) close();
    }
    await until(() => String(uploadedFiles(dataDir)) === String(stored));
    await until(() => descriptors() <= before + 2);
    expect((await ask(gateway.url, 'GET /v3/upload')).body.total).toBe(total);
  });

  it('leaves nothing behind of an upload that its stop cuts', async () => {
    // Of an upload given up before, the gateway may have read late.
    await until(() => uploadedFiles(dataDir).every((path) => !path.startsWith('incoming/')));
    const stored = uploadedFiles(dataDir);
    const { text } = await beginUpload(gateway.url);
    await until(() => uploadedFiles(dataDir).length === stored.length + 1);
    gateway.signal('SIGTERM');
    expect(await gateway.exited).toBe(0);
    expect(text()).toMatch(/^HTTP\/1\.1 503 /);
    expect(uploadedFiles(dataDir)).toEqual(stored);
  });
});
