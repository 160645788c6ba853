import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
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

describe.each(['1', '2'])('with WORKERS=%s a start tells once, by name,', (WORKERS) => {
  const other = createServer();
  beforeAll(async () => {
    await once(other.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(() => {
    other.close();
  });

  it('of a HOST that has no address', async () => {
    const HOST = WORKERS === '1' ? '999.1.1.1' : 'nosuch.invalid';
    const problem = oneProblem(`HOST ${HOST} cannot be listened on: getaddrinfo`);
    expect(await saidOf({ WORKERS, HOST })).toEqual(problem);
  });

  it('of a HOST that is another machine', async () => {
    const problem = oneProblem('HOST 192.0.2.1 cannot be listened on: .*EADDRNOTAVAIL');
    expect(await saidOf({ WORKERS, HOST: '192.0.2.1' })).toEqual(problem);
  });

  it('of a PORT that is in use', async () => {
    const { port } = other.address() as AddressInfo;
    const problem = oneProblem(`PORT ${port} cannot be listened on: .*EADDRINUSE`);
    expect(await saidOf({ WORKERS, PORT: `${port}` })).toEqual(problem);
  });

  it('of a MODELS_FILE that cannot be read', async () => {
    const MODELS_FILE = join(temporaryDirectory(), 'none.yaml');
    expect(await saidOf({ WORKERS, MODELS_FILE })).toEqual(oneProblem('MODELS_FILE'));
  });

  it('of a DATA_DIR that is a file', async () => {
    const DATA_DIR = join(temporaryDirectory(), 'file');
    writeFileSync(DATA_DIR, '');
    const problem = oneProblem(`DATA_DIR ${DATA_DIR} cannot be used: EEXIST`);
    expect(await saidOf({ WORKERS, DATA_DIR })).toEqual(problem);
  });
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

it.each<[string, (path: string) => void]>([
  ['no file', (path) => mkdirSync(path)],
  ['no database', (path) => writeFileSync(path, 'something else'.repeat(100))],
])('a start names the DATA_DIR whose causeway.db is %s', async (_, make) => {
  const DATA_DIR = temporaryDirectory();
  make(join(DATA_DIR, 'causeway.db'));
  expect(await saidOf({ DATA_DIR })).toEqual(oneProblem(`DATA_DIR ${DATA_DIR} cannot be used: `));
});

it('a start names a DATA_DIR that cannot be made, or not below what is there', async () => {
  const directory = temporaryDirectory();
  const dangling = join(directory, 'dangling');
  symlinkSync(join(directory, 'nowhere'), dangling);
  writeFileSync(join(directory, 'file'), '');
  const below = [join(dangling, 'data'), join(directory, 'file', 'data')];
  // Root may write anywhere but there, where Node's own way of making it tries for ever.
  if (process.platform === 'linux') below.push('/proc/causeway/data');
  for (const DATA_DIR of below) {
    expect(await saidOf({ DATA_DIR })).toEqual(oneProblem(`DATA_DIR ${DATA_DIR} cannot be used: `));
  }
});

it('a start names a DATA_DIR that cannot be used also where the tables are elsewhere', async () => {
  const DATA_DIR = join(temporaryDirectory(), 'file');
  writeFileSync(DATA_DIR, '');
  // Nobody answers there, nor is asked.
  const said = await saidOf({ DATA_DIR, DATABASE_URL: 'postgres://127.0.0.1:1/causeway' });
  expect(said).toEqual(oneProblem(`DATA_DIR ${DATA_DIR} cannot be used: EEXIST`));
});
