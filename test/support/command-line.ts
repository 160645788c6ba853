import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** What became of a command. */
export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output as the JSON document that it has to be. */
  readonly json: any;
}

/** Runs `causeway` in a process of its own, with these settings and no others. */
export async function causeway(
  settings: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<Ran> {
  const child = spawn(
    process.execPath,
    ['--import', './test/support/typescript.mjs', 'src/main.ts', ...args],
    { env: { PATH: process.env.PATH, ...settings }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return {
    code,
    stdout,
    stderr,
    get json() {
      return JSON.parse(stdout);
    },
  };
}

/** The same with `--json`, for commands that have to succeed: what they print. */
export async function asked(
  settings: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<any> {
  const ran = await causeway(settings, ...args, '--json');
  if (ran.code !== 0) throw new Error(`causeway ${args.join(' ')} failed: ${ran.stderr}`);
  return ran.json;
}
