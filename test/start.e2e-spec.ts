import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChildProcess, exec, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(exec);
const PATHS = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' };

/** The README's own command, on embedded defaults, as a new user would run it. */
describe('npm start', () => {
  let dataDir: string;
  let gateway: ChildProcess;
  let output = '';

  const start = (command: string, args: string[], env: Record<string, string> = {}) => {
    output = '';
    const settings = { ...PATHS, PORT: '0', DATA_DIR: dataDir, ...env };
    gateway = spawn(command, args, { env: settings, detached: true });
    gateway.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    gateway.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  };
  const printed = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (let tries = 0; tries < 600; tries++) {
      const match = pattern.exec(output);
      if (match) return match;
      await new Promise((later) => setTimeout(later, 100));
    }
    throw new Error(`never printed ${String(pattern)}:\n${output}`);
  };

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'causeway-start-'));
  });
  afterAll(async () => {
    // The whole group, should a shell stand between.
    try {
      process.kill(-gateway.pid!, 'SIGKILL');
    } catch {
      // It is gone already.
    }
    await rm(dataDir, { recursive: true, force: true });
  });

  it('builds, starts, prints keys once and a curl line that works', async () => {
    start('npm', ['start']);
    const [curl] = await printed(/^curl .*$/m);
    expect(output).toMatch(/Admin key: +cw_admin_\S{40,}/);
    expect(output).toMatch(/API key: +cw_live_\S{40,}/);
    expect(output).toMatch(/http:\/\/127\.0\.0\.1:\d+\/docs/);
    const { stdout } = await run(`${curl} --silent`);
    expect(JSON.parse(stdout)).toMatchObject({
      type: 'message',
      model: 'sandbox/echo',
      provider: 'sandbox',
    });
    gateway.kill('SIGTERM');
    await once(gateway, 'close');
  }, 90_000);

  it('does not print them again, and ends with 0 on SIGTERM while finishing a stream', async () => {
    const key = 'cw_live_0123456789abcdefghijkl';
    start(process.execPath, ['dist/main.js'], { CAUSEWAY_API_KEY: key });
    const [, url] = await printed(/listening on (\S+)/);
    await printed(/docs/);
    expect(output).not.toContain('key:');
    const stream = fetch(`${url}/v3/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'sandbox/slow-500',
        stream: true,
        messages: [{ role: 'user', content: 'Hello' }],
      }),
    }).then((response) => response.text());
    await new Promise((later) => setTimeout(later, 200));
    gateway.kill('SIGTERM');
    const [code] = await once(gateway, 'exit');
    expect(await stream).toContain('message_stop');
    expect(code).toBe(0);
    expect(output).not.toContain(key);
  });

  it('refuses wrong settings in one message that names each', async () => {
    const models = join(dataDir, 'models.yaml');
    await writeFile(models, 'models: {openai/x: {endpoints: [messages]}}');
    start(process.execPath, ['dist/main.js'], {
      ...{ PORT: 'x', GRACE_MS: '-1', LOG_LEVEL: 'loud' },
      MODELS_FILE: models,
      OPENAI_BASE_URL: 'http://169.254.169.254/',
    });
    const [code] = await once(gateway, 'close');
    expect(code).toBe(1);
    for (const name of ['PORT', 'GRACE_MS', 'LOG_LEVEL', 'pricing', 'OPENAI_BASE_URL']) {
      expect(output).toContain(name);
    }
    expect(output).not.toMatch(/\bat .*\.js/);
  });
});
