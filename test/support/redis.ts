import { afterAll, beforeAll, describe } from '@jest/globals';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A Redis of the test's own. */
export interface TestRedis {
  readonly url: string;
  /** Sends one command, such as `CONFIG SET maxmemory 1`, and gives a short reply as it came. */
  command(text: string): Promise<string>;
  /** The process stands still: connections stay open and nothing is answered. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** How many databases a `TestRedis` has. */
export const DATABASES = 4;

/** Describes what needs a Redis; skipped, and says so, where there is no `redis-server`. */
export function describeWithRedis(title: string, body: (redis: TestRedis) => void): void {
  if (!isInstalled) console.warn(`skipped, because there is no redis-server here: ${title}`);
  (isInstalled ? describe : describe.skip)(title, () => {
    const redis = new OwnRedis();
    beforeAll(() => redis.start());
    afterAll(() => redis.stop());
    body(redis);
  });
}

const isInstalled = (() => {
  try {
    execFileSync('redis-server', ['--version']);
    return true;
  } catch {
    return false;
  }
})();

class OwnRedis implements TestRedis {
  private port = 0;
  private server: ChildProcess | undefined;

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    this.port ||= await freePort();
    const settings = {
      port: `${this.port}`,
      bind: '127.0.0.1',
      save: '',
      appendonly: 'no',
      databases: `${DATABASES}`,
    };
    const options = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
    this.server = spawn('redis-server', options, { stdio: 'ignore' });
    while ((await this.command('PING').catch(() => '')) !== '+PONG') await delay(20);
  }

  async stop(): Promise<void> {
    const { server } = this;
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGKILL');
    await once(server, 'exit');
  }

  pause(): void {
    this.server?.kill('SIGSTOP');
  }

  resume(): void {
    this.server?.kill('SIGCONT');
  }

  async command(text: string): Promise<string> {
    const socket = connect(this.port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      socket.write(`${text}\r\n`);
      const [reply] = (await once(socket, 'data')) as [Buffer];
      return reply.toString().trim();
    } finally {
      socket.destroy();
    }
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => {
        resolve(port);
      });
    });
  });
}
