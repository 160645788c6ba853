import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type DatabaseSettings } from './databases.js';

/** A process that runs a gateway, which need not listen yet, nor ever. */
export interface StartingGateway {
  readonly pid: number;
  /** What it has printed, its standard error too. */
  readonly output: string;
  /** Resolves with the exit code; null when a signal ended it. */
  readonly exited: Promise<number | null>;
  signal(name: NodeJS.Signals): void;
  /** Reads no more of what it prints, until it has ended. */
  leaveUnread(): void;
  /** Ends it as a loss of power would, and resolves when it is gone. */
  kill(): Promise<void>;
}

/** A gateway in a process of its own, which can be killed. */
export interface GatewayProcess extends StartingGateway {
  readonly url: string;
}

type Settings = DatabaseSettings & Record<string, string>;

interface Surroundings {
  /** JavaScript that its processes run before anything else. */
  readonly first?: string;
  /** Where it runs; in this project unless it is said. */
  readonly directory?: string;
}

const PROJECT = join(import.meta.dirname, '../..');
const LOADER = pathToFileURL(join(PROJECT, 'test/support/typescript.mjs')).href;

/** Starts a gateway with these settings and no others; resolves when it listens. */
export async function startGatewayProcess(
  settings: Settings,
  surroundings: Surroundings = {},
): Promise<GatewayProcess> {
  const { child, starting } = launch(settings, surroundings);
  const url = await addressOf(child, starting);
  return Object.defineProperty(starting as GatewayProcess, 'url', { value: url });
}

/** As `startGatewayProcess`, for a start that is to be watched, or that comes to nothing. */
export function launchGateway(
  settings: Settings,
  surroundings: Surroundings = {},
): StartingGateway {
  return launch(settings, surroundings).starting;
}

function launch(
  settings: Settings,
  { first = '', directory = PROJECT }: Surroundings,
): { child: ChildProcess; starting: StartingGateway } {
  const before = first ? ['--import', `data:text/javascript,${encodeURIComponent(first)}`] : [];
  const child = spawn(
    process.execPath,
    [...before, '--import', LOADER, join(PROJECT, 'src/main.ts')],
    {
      cwd: directory,
      env: { PATH: process.env.PATH, PORT: '0', RATE_LIMIT: '100000/s', ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  }
  const closed = once(child, 'close');
  const starting = {
    pid: child.pid ?? 0,
    get output() {
      return text;
    },
    exited: closed.then(([code]) => code as number | null),
    leaveUnread: () => {
      child.stdout.pause();
      child.once('exit', () => child.stdout.resume());
    },
    signal: (name: NodeJS.Signals) => {
      child.kill(name);
    },
    kill: async () => {
      child.kill('SIGKILL');
      await closed;
    },
  };
  return { child, starting };
}

/** The address in the gateway's first words. */
function addressOf(child: ChildProcess, printed: { readonly output: string }): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', () => {
      const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed.output) ?? [];
      if (address) resolve(address);
    });
    child.once('close', () => {
      reject(new Error(`the gateway did not start: ${printed.output}`));
    });
  });
}
