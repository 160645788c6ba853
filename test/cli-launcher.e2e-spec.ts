import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { temporaryDirectory } from './support/databases.js';

// A build, in which types are checked.
jest.setTimeout(180_000);

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const PATHS = (process.env.PATH ?? '').split(delimiter);

/** A Node that is too old for the gateway, as the machine's own may be. */
const oldNode = PATHS.map((path) => join(path, 'node')).find((path) => {
  if (!existsSync(path)) return false;
  return Number(/\d+/.exec(execFileSync(path, ['--version']).toString())?.[0]) < 26;
});

describe('the launcher, in a checkout that was never built', () => {
  let checkout: string;
  let settings: Record<string, string>;

  beforeAll(() => {
    checkout = temporaryDirectory();
    const files = ['bin', 'src', 'package.json', 'nest-cli.json', 'tsconfig.json', '.swcrc'];
    for (const file of files) cpSync(file, join(checkout, file), { recursive: true });
    symlinkSync(resolve('node_modules'), join(checkout, 'node_modules'));
    settings = {
      PATH: process.env.PATH ?? '',
      HOME: temporaryDirectory(),
      DATA_DIR: join(checkout, 'data'),
      npm_config_cache: temporaryDirectory(),
      npm_config_offline: 'true',
    };
  });

  const run = async (command: string, ...args: string[]) => {
    const child = spawn(command, args, {
      cwd: checkout,
      env: settings,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = once(child, 'close') as Promise<[number | null]>;
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { code: (await ended)[0], stdout, stderr };
  };

  it('builds silently and goes on, with the command’s own exit code and words', async () => {
    expect(await run('npm', 'run', '--silent', 'causeway', '--', 'accounts', 'create')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'causeway: --name is needed\n',
    });
    expect(existsSync(join(checkout, 'dist', 'main.js'))).toBe(true);
  });

  it('is what npx runs', async () => {
    expect(await run('npx', 'causeway', '--version')).toMatchObject({
      code: 0,
      stdout: `${version}\n`,
    });
  });

  it('tells without a command which there are', async () => {
    const help = await run(join(checkout, 'bin', 'causeway.mjs'));
    expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('doctor') });
  });

  if (oldNode === undefined) console.warn('skipped, because there is no older Node here');
  (oldNode === undefined ? it.skip : it)('finds the right Node from an older one', async () => {
    const launcher = join(checkout, 'bin', 'causeway.mjs');
    expect(await run(oldNode ?? '', launcher, 'frob')).toEqual({
      code: 2,
      stdout: '',
      stderr: "causeway: there is no command 'frob'; see causeway --help\n",
    });
  });

  // From the older Node where there is one, which tells the right one to stop and ends as it does.
  it('ends with the gateway that it serves', async () => {
    const child = spawn(
      oldNode ?? process.execPath,
      [join(checkout, 'bin/causeway.mjs'), 'serve'],
      {
        cwd: checkout,
        env: { ...settings, PORT: '0' },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const closed = once(child, 'close') as Promise<[number | null]>;
    let output = '';
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      output += chunk.toString();
      if (!output.includes('curl')) continue;
      child.kill('SIGTERM');
    }
    expect((await closed)[0]).toBe(0);
    expect(output).toMatch(/listening on http/);
    expect(output).toMatch(/Admin key: +cw_admin_/);
  });
});
