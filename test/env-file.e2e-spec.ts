import { describe, expect, it, jest } from '@jest/globals';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from './support/databases.js';
import { launchGateway, startGatewayProcess } from './support/gateway-process.js';
import { API_KEY } from './support/gateway.js';
import { ask, startWorkers, WORKERS, workersOf, workersWithout } from './support/workers.js';

jest.setTimeout(60_000);

/** A directory with this `.env`, to run a gateway in. */
function directoryWith(text: string | Buffer): string {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, '.env'), text);
  return directory;
}

/** How many requests a gateway lets through that runs there. */
async function limitOf(directory: string): Promise<string | null> {
  const settings = { DATA_DIR: join(directory, 'data'), CAUSEWAY_API_KEY: API_KEY, RATE_LIMIT: '' };
  const gateway = await startGatewayProcess(settings, { directory });
  const answer = await fetch(`${gateway.url}/v3/me`, {
    headers: { authorization: `Bearer ${API_KEY}` },
  });
  await gateway.kill();
  return answer.headers.get('x-ratelimit-limit');
}

describe('.env', () => {
  it('is read behind the mark with which some editors begin a file', async () => {
    const directory = directoryWith('\uFEFFDRAIN_DELAY_MS=1x\n');
    const gateway = launchGateway({ DATA_DIR: join(directory, 'data') }, { directory });
    expect(await gateway.exited).toBe(1);
    expect(gateway.output).toContain('DRAIN_DELAY_MS');
  });

  it('does not set what is empty in the environment', async () => {
    expect(await limitOf(directoryWith('RATE_LIMIT=7/s\n'))).toBe('100');
  });

  it.each([
    ['is a directory', (path: string) => mkdirSync(path)],
    ['is not UTF-8', (path: string) => writeFileSync(path, Buffer.from('\uFEFFA=b\n', 'utf16le'))],
  ])('stops the start with one line when it %s', async (_, make) => {
    const directory = temporaryDirectory();
    make(join(directory, '.env'));
    const gateway = launchGateway({ DATA_DIR: join(directory, 'data') }, { directory });
    expect(await gateway.exited).toBe(1);
    expect(gateway.output).toMatch(/^Causeway cannot read \.env: .*\n$/);
  });

  it('is read by the first process alone: a worker that dies is replaced by its like', async () => {
    const directory = directoryWith('');
    const gateway = await startWorkers({ CAUSEWAY_API_KEY: API_KEY }, directory);
    const [dying] = await workersOf(gateway);
    writeFileSync(join(directory, '.env'), 'GRACE_MS=wrong\nSANDBOX=off\n');
    process.kill(dying!, 'SIGKILL');
    expect(await workersWithout(dying!, gateway)).toHaveLength(WORKERS);
    expect((await ask(gateway, '/v3/models/sandbox/echo')).status).toBe(200);
  });
});
