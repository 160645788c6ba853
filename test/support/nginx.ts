import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { temporaryDirectory } from './databases.js';
import { until } from './until.js';

/** An nginx of the test's own. */
export interface Nginx {
  readonly url: string;
  /** What it has complained of. */
  readonly errors: string;
  stop(): Promise<void>;
}

/** Whether there is an nginx, installed now where this may be done: within a minute, by root. */
export function hasNginx(): boolean {
  if (runs('nginx', ['-v'])) return true;
  const install = ['install', '-y', '--no-install-recommends', 'nginx'];
  return process.getuid?.() === 0 && runs('apt-get', install) && runs('nginx', ['-v']);
}

/** Starts nginx with `deploy/nginx.conf`, in front of gateways on these ports of this machine. */
export async function startNginx(ports: readonly number[]): Promise<Nginx> {
  const [port = 0] = await freePorts(1);
  const directory = temporaryDirectory();
  const configuration = [
    ['listen 8080', `listen 127.0.0.1:${port}`] as const,
    ...ports.map((own, index) => [`127.0.0.1:300${index + 1} `, `127.0.0.1:${own} `] as const),
  ].reduce(
    (text, [address, own]) => {
      if (!text.includes(address)) throw new Error(`deploy/nginx.conf does not say ${address}`);
      return text.replace(address, own);
    },
    readFileSync('deploy/nginx.conf', 'utf8'),
  );
  const file = join(directory, 'nginx.conf');
  writeFileSync(file, configuration);
  const own = `daemon off; pid ${join(directory, 'nginx.pid')};`;
  const args = ['-p', directory, '-e', 'stderr', '-c', file, '-g', own];
  const server = spawn('nginx', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const printed = { text: '' };
  server.stderr.setEncoding('utf8').on('data', (text: string) => (printed.text += text));
  const closed = once(server, 'close');
  const url = `http://127.0.0.1:${port}`;
  await until(async () => (await fetch(url)).status > 0);
  return {
    url,
    get errors() {
      return printed.text;
    },
    stop: async () => {
      server.kill('SIGTERM');
      await closed;
    },
  };
}

/** Ports of this machine that nobody listens on. */
export async function freePorts(count: number): Promise<number[]> {
  const probes = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(probes.map((probe) => once(probe, 'listening')));
  const ports = probes.map((probe) => (probe.address() as AddressInfo).port);
  await Promise.all(probes.map((probe) => once(probe.close(), 'close')));
  return ports;
}

function runs(command: string, args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore', timeout: 60_000 });
    return true;
  } catch {
    return false;
  }
}
