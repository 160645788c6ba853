import { afterAll, describe, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A coding agent in a folder of its own, cut off from every address but this machine's. */
export interface CodingAgent {
  readonly version: string;
  /** Where it works; empty at first. */
  readonly workplace: string;
  /** Its settings folder. */
  readonly home: string;
  /** Hosts elsewhere that it tried to reach. */
  readonly outside: readonly string[];
  /** Runs it to its end, with these variables and no others. @throws with what it printed. */
  run(parameters: readonly string[], env: Record<string, string>): Promise<string>;
  remove(): Promise<void>;
}

/**
 * Tests of an agent. They run with AGENTS=1 alone, because they install it; where it cannot be had
 * they are skipped. Either way the output says why.
 */
export async function describeAgent(
  name: string,
  command: string,
  tests: (agent: CodingAgent) => void,
): Promise<void> {
  const agent =
    process.env.AGENTS === '1'
      ? await installAgent(name, command)
      : `${name} is skipped: AGENTS=1 installs it and runs it.`;
  if (typeof agent === 'string') {
    process.stdout.write(`${agent}\n`);
    describe.skip(name, () => {
      it('is not here', () => undefined);
    });
    return;
  }
  describe(agent.version, () => {
    afterAll(agent.remove);
    tests(agent);
  });
}

/**
 * Installs an agent from the package registry, where it can be had and there is a build of it for
 * this machine; the reason why not, otherwise.
 */
async function installAgent(name: string, command: string): Promise<CodingAgent | string> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-agent-'));
  const [workplace, home] = [join(folder, 'work'), join(folder, 'home')];
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  await Promise.all([mkdir(workplace), mkdir(home)]);
  const binary = join(folder, 'node_modules', '.bin', command);
  const proxy = await deadEnd();
  // Nothing is taken from the environment of the tests: it may hold keys, or settings of an agent.
  const bare = {
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: home,
    TERM: 'dumb',
    HTTP_PROXY: proxy.url,
    HTTPS_PROXY: proxy.url,
    NO_PROXY: '127.0.0.1,localhost',
    // Where one looks for parts of itself, whatever it is told.
    npm_config_registry: proxy.url,
  };
  const start = (parameters: readonly string[], env: Record<string, string>) =>
    new Promise<string>((resolve, reject) => {
      const options = { cwd: workplace, env: { ...bare, ...env }, timeout: 90_000 };
      const child = execFile(binary, [...parameters], options, (error, stdout, stderr) => {
        if (!error) resolve(stdout);
        else reject(new Error(`${command} failed: ${error.message}\n${stdout}\n${stderr}`));
      });
      child.stdin?.end();
    });
  try {
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
    await run('npm', ['install', '--prefix', folder, ...quiet, `${name}@latest`], {
      timeout: 240_000,
    });
    const version = (await start(['--version'], {})).trim();
    return {
      version,
      workplace,
      home,
      outside: proxy.asked,
      run: start,
      remove: async () => {
        proxy.close();
        await remove();
      },
    };
  } catch (error) {
    proxy.close();
    await remove();
    return `${name} cannot be had here: ${String(error).slice(0, 300)}`;
  }
}

/** A proxy that leads nowhere and remembers who was asked for. */
async function deadEnd() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    if (!request.url?.startsWith('/')) asked.push(request.url ?? '');
    response.writeHead(404).end();
  });
  server.on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    socket.on('error', () => undefined);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    asked,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
    },
  };
}
