import { readFileSync } from 'node:fs';
import { type Command, Misuse, type Surroundings } from './command.js';
import { COMMANDS } from './commands.js';
import { exitCodeOf, linesOf } from './failure.js';
import { readGiven } from './given.js';
import { helpOf, overview } from './help.js';
import { show } from './output.js';

/**
 * Runs one command and gives the exit code of the process: 0 done, 1 failed, 2 used wrongly. What
 * went wrong is said on standard error. `serve` goes on after this has settled.
 */
export async function runCommandLine(
  args: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  const { stdout, stderr } = surroundings;
  // Who reads may have seen enough, as `head` has.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  try {
    return await run(args, surroundings);
  } catch (error) {
    stderr.write(
      linesOf(error)
        .map((line) => `causeway: ${line}\n`)
        .join(''),
    );
    return exitCodeOf(error);
  }
}

async function run(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { stdout } = surroundings;
  const [first = ''] = args;
  if (first === '--version' || first === '-v') {
    stdout.write(`${version()}\n`);
    return 0;
  }
  const help = args.find((arg) => arg === '--help' || arg === '-h' || arg === '--');
  const isHelp = first === 'help' || (help !== undefined && help !== '--');
  const words = first === 'help' ? args.slice(1) : jsonLast(args);
  const { command, rest, group } = find(words);
  if (isHelp) {
    const isNamed = command && `${words.join(' ')} `.startsWith(`${command.name} `);
    stdout.write(isNamed ? helpOf(command) : overview(group));
    return 0;
  }
  if (!command) throw unknownCommand(words, group);
  const given = readGiven(command, rest);
  const report = await command.run(given, surroundings);
  if (!report) return 0;
  show(report, surroundings, given.form);
  return report.failed ? 1 : 0;
}

interface Found {
  readonly command?: Command;
  /** What follows the command's name. */
  readonly rest: readonly string[];
  /** The commands that begin with the same word; all of them where none does. */
  readonly group: readonly Command[];
}

/** `--json` may stand in front of the command, too. */
function jsonLast(args: readonly string[]): readonly string[] {
  return args[0] === '--json' ? [...args.slice(1), '--json'] : args;
}

function find(words: readonly string[]): Found {
  const [first = '', second = ''] = words;
  const named = (name: string) => COMMANDS.find((command) => command.name === name);
  const group = COMMANDS.filter(({ name }) => name.split(' ')[0] === first);
  const pair = named(`${first} ${second}`);
  if (pair) return { command: pair, rest: words.slice(2), group };
  // What a word alone stands for: `causeway usage` is its report.
  const one = named(first) ?? (/^(-|$)/.test(second) ? named(`${first} report`) : undefined);
  if (one) return { command: one, rest: words.slice(1), group };
  return { rest: [], group: group.length > 0 ? group : COMMANDS };
}

function unknownCommand(
  [first = '', second]: readonly string[],
  group: readonly Command[],
): Misuse {
  if (group === COMMANDS) {
    return new Misuse(`there is no command '${first}'; see causeway --help`);
  }
  const seconds = group.map(({ name }) => name.split(' ')[1]).join(', ');
  const what = second === undefined || second.startsWith('-') ? 'needs' : `has no '${second}', but`;
  return new Misuse(`${first} ${what} one of ${seconds}`);
}

/** The same place from `dist` and from `src`. */
function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
