import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type DatabaseSettings } from './databases.js';

/** A gateway in a process of its own, which can be killed. */
export interface GatewayProcess {
  readonly url: string;
  readonly pid: number;
  /** What it has printed, its standard error too. */
  readonly output: string;
  /** Resolves with the exit code; null when a signal ended it. */
  readonly exited: Promise<number | null>;
  signal(name: NodeJS.Signals): void;
  /** Ends it as a loss of power would, and resolves when it is gone. */
  kill(): Promise<void>;
}

/**
 * Starts a gateway with these settings and no others; resolves when it listens.
 *
 * @param first JavaScript that its processes run before anything else.
 */
export async function startGatewayProcess(
  settings: DatabaseSettings & Record<string, string>,
  { first = '' } = {},
): Promise<GatewayProcess> {
  const before = first ? ['--import', `data:text/javascript,${encodeURIComponent(first)}`] : [];
  const child = spawn(
    process.execPath,
    [...before, '--import', './test/support/typescript.mjs', 'src/main.ts'],
    {
      env: { PATH: process.env.PATH, PORT: '0', RATE_LIMIT: '100000/s', ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const printed = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed.text += text;
    });
  }
  const closed = once(child, 'close');
  return {
    url: await addressOf(child, printed),
    pid: child.pid ?? 0,
    get output() {
      return printed.text;
    },
    exited: closed.then(([code]) => code as number | null),
    signal: (name) => {
      child.kill(name);
    },
    kill: async () => {
      child.kill('SIGKILL');
      await closed;
    },
  };
}

/** The address in the gateway's first words. */
function addressOf(child: ChildProcess, printed: { readonly text: string }): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', () => {
      const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed.text) ?? [];
      if (address) resolve(address);
    });
    child.once('close', () => {
      reject(new Error(`the gateway did not start: ${printed.text}`));
    });
  });
}
