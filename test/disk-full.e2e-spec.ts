import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '../src/database/database.service.js';
import { temporaryDirectory } from './support/databases.js';
import { FakeUpstream } from './support/fake-upstream.js';
import { API_KEY, type RunningGateway, startGateway } from './support/gateway.js';
import { MESSAGE } from './support/provider-answers.js';
import { until } from './support/until.js';

const mount = (directory: string): boolean => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', directory], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    console.warn('skipped, because nothing can be mounted here: a database on a disk that is full');
    return false;
  }
};

const dataDir = temporaryDirectory();

(mount(dataDir) ? describe : describe.skip)('a database on a disk that is full', () => {
  const upstream = new FakeUpstream();
  const filler = join(dataDir, 'filler');
  let gateway: RunningGateway;

  beforeAll(async () => {
    await upstream.listen();
    gateway = await startGateway({
      DATA_DIR: dataDir,
      ANTHROPIC_API_KEY: 'k',
      ANTHROPIC_BASE_URL: upstream.url,
    });
    upstream.replies(200, { ...MESSAGE, usage: { input_tokens: 100, output_tokens: 50 } });
  });
  afterAll(async () => {
    rmSync(filler, { force: true });
    await gateway.close();
    await upstream.close();
    execFileSync('umount', [dataDir]);
  });

  const ask = () =>
    fetch(`${gateway.url}/v3/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'anthropic/claude-haiku-4-5',
        max_tokens: 50,
        messages: [{ role: 'user', content: 'Hello' }],
      }),
    });
  const readiness = async () => (await fetch(`${gateway.url}/health/ready`)).status;
  const rows = () =>
    gateway.app
      .get(Database)
      .read((kysely) => kysely.selectFrom('requests').select(['status', 'outcome']).execute());
  const fill = () => {
    for (let bytes = 1 << 20; bytes >= 256; bytes /= 2) {
      try {
        for (;;) writeFileSync(filler, Buffer.alloc(bytes), { flag: 'a' });
      } catch {
        // No more of this size.
      }
    }
  };

  it('lets no provider be called for what cannot be recorded, until there is room', async () => {
    expect((await ask()).status).toBe(200);
    fill();
    // What SQLite's files have room for still goes in.
    await until(async () => (await ask()).status === 503);
    const { length: before } = upstream.received;
    for (let call = 0; call < 3; call++) {
      const refused = await ask();
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    }
    expect(upstream.received.length).toBe(before);
    expect(await readiness()).toBe(503);
    rmSync(filler);
    await until(async () => (await readiness()) === 200);
    expect((await ask()).status).toBe(200);
    // Each call that the provider has answered, once.
    await until(async () => (await rows()).length === upstream.received.length);
  });
});
