import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type DatabaseSettings } from './databases.js';

/** A gateway in a process of its own, which can be killed. */
export interface GatewayProcess {
  readonly url: string;
  /** Ends it as a loss of power would, and resolves when it is gone. */
  kill(): Promise<void>;
}

/** Starts a gateway with these settings and no others; resolves when it listens. */
export async function startGatewayProcess(
  settings: DatabaseSettings & Record<string, string>,
): Promise<GatewayProcess> {
  const child = spawn(
    process.execPath,
    ['--import', './test/support/typescript.mjs', 'src/main.ts'],
    {
      env: { PATH: process.env.PATH, PORT: '0', RATE_LIMIT: '100000/s', ...settings },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const closed = once(child, 'close');
  return {
    url: await addressOf(child),
    kill: async () => {
      child.kill('SIGKILL');
      await closed;
    },
  };
}

/** The address in the gateway's first words. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? [];
      if (address) resolve(address);
    });
    child.once('close', () => {
      reject(new Error(`the gateway did not start: ${output}`));
    });
  });
}
