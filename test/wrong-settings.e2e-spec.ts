import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { temporaryDirectory } from './support/databases.js';
import { launchGateway } from './support/gateway-process.js';

jest.setTimeout(60_000);

/** All that a start prints that comes to nothing. */
async function saidOf(settings: Record<string, string>): Promise<string> {
  const gateway = launchGateway({ DATA_DIR: temporaryDirectory(), ...settings });
  expect(await gateway.exited).toBe(1);
  return gateway.output;
}
const oneProblem = (text: string) =>
  expect.stringMatching(new RegExp(`^The gateway cannot start:\\n  - ${text}.*\\n$`));

const other = createServer();
beforeAll(async () => {
  await once(other.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  other.close();
});
const taken = () => `${(other.address() as AddressInfo).port}`;

describe.each(['1', '2'])('with WORKERS=%s a start tells once, by name,', (WORKERS) => {
  it('of a PORT that is in use', async () => {
    const problem = oneProblem(`PORT ${taken()} cannot be listened on: .*EADDRINUSE`);
    expect(await saidOf({ WORKERS, PORT: taken() })).toEqual(problem);
  });

  it('of a PORT that is in use before it makes keys, which nobody would see', async () => {
    const DATA_DIR = temporaryDirectory();
    await saidOf({ WORKERS, DATA_DIR, PORT: taken() });
    expect(readdirSync(DATA_DIR)).toEqual([]);
  });

  it('of a DATA_DIR that is a file', async () => {
    const DATA_DIR = join(temporaryDirectory(), 'file');
    writeFileSync(DATA_DIR, '');
    const problem = oneProblem(`DATA_DIR ${DATA_DIR} cannot be used: EEXIST`);
    expect(await saidOf({ WORKERS, DATA_DIR })).toEqual(problem);
  });
});

it('a start tells once, by name, of a MODELS_FILE that cannot be read', async () => {
  const MODELS_FILE = join(temporaryDirectory(), 'none.yaml');
  expect(await saidOf({ MODELS_FILE })).toEqual(oneProblem('MODELS_FILE'));
});

it('the first of several workers tells of what a MODELS_FILE and an address say', async () => {
  const MODELS_FILE = join(temporaryDirectory(), 'models.yaml');
  writeFileSync(MODELS_FILE, 'models: {openai/x: {endpoints: [messages]}}');
  const OPENAI_BASE_URL = 'http://169.254.169.254/';
  expect(await saidOf({ WORKERS: '2', MODELS_FILE, OPENAI_BASE_URL })).toMatch(
    /^The gateway cannot start:\n  - OPENAI_BASE_URL .*\n  - MODELS_FILE .*pricing\n$/,
  );
});

// What a worker makes of them, and of other DATA_DIRs, is seen without a whole gateway in src/.
it.each([
  ['has no address', '999.1.1.1', 'getaddrinfo'],
  ['is another machine', '192.0.2.1', '.*EADDRNOTAVAIL'],
])('a start tells once, by name, of a HOST that %s', async (_, HOST, reason) => {
  expect(await saidOf({ HOST })).toEqual(
    oneProblem(`HOST ${HOST} cannot be listened on: ${reason}`),
  );
});

it('a start tells of all wrong settings together, those of files too', async () => {
  const said = await saidOf({
    RATE_LIMIT: 'many',
    OPENAI_BASE_URL: 'ftp://provider.example',
    OPENAI_API_KEY: 'sk-a-key-of-the-provider',
    MODELS_FILE: '/nowhere/models.yaml',
    ROUTER_PRIOR_FILE: '/nowhere/prior.yaml',
  });
  const [head, ...problems] = said.trimEnd().split('\n');
  expect(head).toBe('The gateway cannot start:');
  const names = problems.map((problem) => /^  - (\w+) /.exec(problem)?.[1]);
  expect(names).toEqual(['RATE_LIMIT', 'MODELS_FILE', 'OPENAI_BASE_URL', 'ROUTER_PRIOR_FILE']);
});

it('a start names the DATA_DIR whose causeway.db is no database', async () => {
  const DATA_DIR = temporaryDirectory();
  writeFileSync(join(DATA_DIR, 'causeway.db'), 'something else'.repeat(100));
  expect(await saidOf({ DATA_DIR })).toEqual(oneProblem(`DATA_DIR ${DATA_DIR} cannot be used: `));
});

it('a start names a DATA_DIR that cannot be used also where the tables are elsewhere', async () => {
  const DATA_DIR = join(temporaryDirectory(), 'file');
  writeFileSync(DATA_DIR, '');
  // Nobody answers there, nor is asked.
  const said = await saidOf({ DATA_DIR, DATABASE_URL: 'postgres://127.0.0.1:1/causeway' });
  expect(said).toEqual(oneProblem(`DATA_DIR ${DATA_DIR} cannot be used: EEXIST`));
});
