import { spawn } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCommandLine } from '../../src/cli/command-line.js';

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
  return ran(code, stdout, stderr);
}

/** Runs `causeway` here, in a fraction of the time that a process takes to start. */
export async function causewayHere(
  settings: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<Ran> {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const printed = Promise.all([text(out), text(err)]);
  const code = await runCommandLine(args, {
    env: settings,
    stdout: out as unknown as NodeJS.WriteStream,
    stderr: err as unknown as NodeJS.WriteStream,
    serve: () => Promise.reject(new Error('nothing is to be served')),
  });
  for (const stream of [out, err]) stream.end();
  const [stdout, stderr] = await printed;
  return ran(code, stdout, stderr);
}

/** The same with `--json`, for commands that have to succeed: what they print. */
export async function asked(
  settings: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<any> {
  const done = await causewayHere(settings, ...args, '--json');
  if (done.code !== 0) throw new Error(`causeway ${args.join(' ')} failed: ${done.stderr}`);
  return done.json;
}

function ran(code: number | null, stdout: string, stderr: string): Ran {
  return {
    code,
    stdout,
    stderr,
    get json() {
      return JSON.parse(stdout);
    },
  };
}
