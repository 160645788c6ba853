import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const KEY = 'cw_live_of_the_bench_0123456789';
const ADMIN_KEY = 'cw_admin_of_the_bench_0123456789';
const STARTS_WITHIN_MS = 20_000;
const PORTKEY_PROVIDERS = { '/v1/messages': 'anthropic' };

/** Everything a run starts: stopped and removed when the process ends, however it ends. */
export class Workshop {
  #children = [];
  /** Not among the system's temporary files: where those are in memory, a commit looks free. */
  directory;

  constructor() {
    const cache = fileURLToPath(new URL('../node_modules/.cache', import.meta.url));
    mkdirSync(cache, { recursive: true });
    this.directory = mkdtempSync(join(cache, 'bench-'));
    process.once('exit', () => {
      for (const child of this.#children) child.kill('SIGKILL');
      rmSync(this.directory, { recursive: true, force: true, maxRetries: 3 });
    });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.once(signal, () => process.exit(1));
    }
  }

  /** The provider's part; `set` says what it answers from now on, and how late. */
  async upstream() {
    const { child, port } = await this.#startOwn('upstream', []);
    const set = (scenario, delayMs) => {
      const taken = new Promise((resolve) => child.once('message', resolve));
      child.send({ scenario, delayMs });
      return taken;
    };
    return {
      name: 'direct',
      url: `http://127.0.0.1:${port}`,
      pid: child.pid,
      set,
      request: asProviders,
    };
  }

  async passThrough(upstream) {
    const { child, port } = await this.#startOwn('passthrough', [upstream.url, KEY]);
    return {
      name: 'raw',
      url: `http://127.0.0.1:${port}`,
      pid: child.pid,
      request: asProviders,
    };
  }

  /** A build of the gateway as it is deployed: with accounting, limits, and a log file. */
  async gateway(name, main, upstream, more = {}) {
    const started = await this.#server(name, [main], {
      ready: '/health/ready',
      env: (port) => ({
        PORT: String(port),
        DATA_DIR: join(this.directory, name, 'data'),
        NODE_ENV: 'production',
        LOG_LEVEL: 'info',
        CAUSEWAY_API_KEY: KEY,
        CAUSEWAY_ADMIN_KEY: ADMIN_KEY,
        RATE_LIMIT: '1000000/s',
        OPENAI_API_KEY: KEY,
        OPENAI_BASE_URL: `${upstream.url}/v1`,
        ANTHROPIC_API_KEY: KEY,
        ANTHROPIC_BASE_URL: upstream.url,
        ...more,
      }),
      request: asGateways(KEY),
    });
    // The same server, as it is asked with another key.
    const withKey = (key) => ({ ...started, request: asGateways(key) });
    return { ...started, key: KEY, adminKey: ADMIN_KEY, with: withKey };
  }

  /** An installed `@portkey-ai/gateway`, a gateway of the same kind on Node. */
  portkey(path, upstream) {
    return this.#server(
      'portkey',
      (port) => [join(path, 'build/start-server.js'), `--port=${port}`],
      {
        ready: '/',
        env: () => ({ NODE_ENV: 'production' }),
        request: ({ path: route }) => ({
          path: route,
          headers: {
            authorization: `Bearer ${KEY}`,
            'x-portkey-provider': PORTKEY_PROVIDERS[route] ?? 'openai',
            'x-portkey-custom-host': `${upstream.url}/v1`,
          },
        }),
      },
    );
  }

  async #startOwn(name, options) {
    const file = fileURLToPath(new URL(`${name}.mjs`, import.meta.url));
    const child = this.#spawn([file, ...options], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const { promise, resolve, reject } = Promise.withResolvers();
    child.once('message', resolve);
    child.once('exit', () => reject(new Error(`${name} did not start`)));
    return { child, port: (await promise).port };
  }

  async #server(name, command, { ready, env, request }) {
    const directory = join(this.directory, name);
    mkdirSync(directory);
    const logFile = join(directory, 'log');
    const log = openSync(logFile, 'w');
    const port = await freePort();
    const child = this.#spawn(typeof command === 'function' ? command(port) : command, {
      // In a directory of its own the gateway finds no `.env` of somebody's.
      cwd: directory,
      env: { PATH: process.env.PATH, ...env(port) },
      stdio: ['ignore', log, log],
    });
    const endOfLog = () => readFileSync(logFile, 'utf8').slice(-2_000);
    const ended = once(child, 'exit').then(
      ([code, signal]) => `${name} has ended (${signal ?? code}):\n${endOfLog()}`,
    );
    const url = `http://127.0.0.1:${port}`;
    const giveUpAt = performance.now() + STARTS_WITHIN_MS;
    while (!(await answers(url + ready))) {
      if (child.exitCode === null && performance.now() < giveUpAt) await delay(50);
      else throw new Error(`${name} did not start:\n${endOfLog()}`);
    }
    return { name, url, pid: child.pid, request, ended };
  }

  /** Every server runs on the Node that runs this, or the comparison would be one of Nodes. */
  #spawn(command, options) {
    const child = spawn(process.execPath, command, options);
    this.#children.push(child);
    return child;
  }
}

/** Has a gateway watch its event loop when it is started with `env`; `look` asks what it saw. */
export async function loopWatch() {
  const port = await freePort();
  const file = new URL('loop-watch.mjs', import.meta.url);
  const env = { LOOP_WATCH_PORT: String(port), NODE_OPTIONS: `--import=${file.href}` };
  const look = async () => (await fetch(`http://127.0.0.1:${port}`)).json();
  return { env, look };
}

function asProviders({ path }) {
  return { path, headers: { authorization: `Bearer ${KEY}` } };
}

function asGateways(key) {
  return ({ gatewayPath }) => ({
    path: gatewayPath,
    headers: { authorization: `Bearer ${key}` },
  });
}

async function answers(url) {
  const response = await fetch(url).catch(() => undefined);
  await response?.body?.cancel();
  return response?.ok === true;
}

function freePort() {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers();
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
  return promise;
}
