import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, symlinkSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { FakeUpstream } from './support/fake-upstream.js';
import { API_KEY, type RunningGateway, startGateway } from './support/gateway.js';
import { startGatewayProcess } from './support/gateway-process.js';
import { fileIn, formIn, formOf, png, postEdit } from './support/images.js';
import { until } from './support/until.js';
import { useGateway } from './support/use-gateway.js';

const MODEL = 'openai/gpt-image-1';
const LARGE = png(4096, 4096, Buffer.alloc(2_000_000, 'z'));
const ANSWER = { created: 1, data: [{ b64_json: 'AAAA' }] };
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const form = () => formOf(['model', MODEL], ['prompt', 'x'], ['image', LARGE]);

describe('the files of a request', () => {
  const gateway = useGateway();
  const { upstream } = gateway;
  const files = () => readdir(`${gateway.dataDir}/tmp`).catch(() => []);
  beforeEach(() => {
    upstream.received.length = 0;
    upstream.replies(200, ANSWER);
  });

  it('arrive whole, and are gone with the answer', async () => {
    let kept: string[] = [];
    upstream.answers(async (response) => {
      kept = await files();
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(ANSWER));
    });
    expect((await postEdit(gateway.url, form())).status).toBe(200);
    const { bytes } = await fileIn((await formIn(upstream.last)).get('image'));
    expect(digest(bytes)).toBe(digest(LARGE));
    expect(kept).toHaveLength(1);
    expect(await files()).toEqual([]);
  });

  it('are gone when the request is refused', async () => {
    const { status } = await postEdit(
      gateway.url,
      formOf(['image', LARGE], ['model', MODEL], ['prompt', '']),
    );
    expect(status).toBe(400);
    const unknown = formOf(['image', LARGE], ['model', 'openai/none'], ['prompt', 'x']);
    expect((await postEdit(gateway.url, unknown)).status).toBe(404);
    expect(await files()).toEqual([]);
  });

  it('are gone when the provider fails', async () => {
    upstream.replies(500, {});
    expect((await postEdit(gateway.url, form())).status).toBe(502);
    expect(await files()).toEqual([]);
  });

  it('are gone when the caller hangs up while it sends, as often as it does', async () => {
    const { hostname, port } = new URL(gateway.url);
    for (let round = 0; round < 60; round++) {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      socket.write(
        `POST /v3/images/edits HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${API_KEY}\r\n` +
          'content-type: multipart/form-data; boundary=b\r\ncontent-length: 9000000\r\n\r\n' +
          '--b\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\n\r\n',
      );
      await new Promise((sent) => socket.write(LARGE.subarray(0, 300_000 + round * 5), sent));
      if (round % 10 === 0) await delay(20);
      socket.destroy();
    }
    await until(async () => (await files()).length === 0);
    expect(upstream.received).toEqual([]);
  });

  it('are gone when the caller hangs up while the provider works, which is told so', async () => {
    upstream.answers(() => undefined);
    const { aborted } = upstream;
    const hangUp = new AbortController();
    const asked = fetch(`${gateway.url}/v3/images/edits`, {
      method: 'POST',
      headers: { authorization: `Bearer ${API_KEY}` },
      body: form(),
      signal: hangUp.signal,
    });
    await until(() => upstream.received.length === 1);
    expect(await files()).toHaveLength(1);
    hangUp.abort();
    await expect(asked).rejects.toThrow();
    await until(async () => (await files()).length === 0);
    await until(() => upstream.aborted === aborted + 1);
  });
});

describe('the files of a gateway that was killed', () => {
  it('are gone when it has started again', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'causeway-test-'));
    const upstream = new FakeUpstream();
    await upstream.listen();
    upstream.answers(() => undefined);
    const settings = {
      DATA_DIR: dataDir,
      CAUSEWAY_API_KEY: API_KEY,
      OPENAI_API_KEY: 'x',
      OPENAI_BASE_URL: upstream.url,
    };
    const files = () => readdir(join(dataDir, 'tmp'));
    const first = await startGatewayProcess(settings);
    postEdit(first.url, form()).catch(() => undefined);
    await until(() => upstream.received.length === 1);
    expect(await files()).toHaveLength(1);
    await first.kill();
    expect(await files()).toHaveLength(1);
    const second = await startGateway(settings);
    expect(await files()).toEqual([]);
    await second.close();
    await upstream.close();
    await rm(dataDir, { recursive: true, force: true });
  });
});

const mounted = mkdtempSync(join(tmpdir(), 'causeway-full-'));
const canMount = (() => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', mounted], { stdio: 'ignore' });
    return true;
  } catch {
    console.warn('skipped, because nothing can be mounted here: edits on a disk that is full');
    return false;
  }
})();

(canMount ? describe : describe.skip)('the files of a request, on a disk that is full', () => {
  const upstream = new FakeUpstream();
  let gateway: RunningGateway;
  beforeAll(async () => {
    await upstream.listen();
    upstream.replies(200, ANSWER);
    const settings = { OPENAI_API_KEY: 'x', OPENAI_BASE_URL: upstream.url };
    gateway = await startGateway(settings);
    symlinkSync(mounted, join(gateway.dataDir, 'tmp'));
  });
  afterAll(async () => {
    await gateway.close();
    await upstream.close();
    execFileSync('umount', [mounted]);
    await rm(mounted, { recursive: true });
  });

  it('are refused with 507, leave nothing, and do not stand in the way later', async () => {
    const { status, body } = await postEdit(gateway.url, form());
    expect([status, body.error.code]).toEqual([507, 'insufficient_storage']);
    expect(await readdir(mounted)).toEqual([]);
    const small = formOf(['model', MODEL], ['prompt', 'x'], ['image', png(8, 8)]);
    expect((await postEdit(gateway.url, small)).status).toBe(200);
    expect((await fetch(`${gateway.url}/v3/models`)).status).toBe(200);
    expect(upstream.received).toHaveLength(1);
  });
});
