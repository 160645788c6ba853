import { type Command } from './command.js';

/** What `causeway --help` says, or `causeway <command> --help` of several commands of one name. */
export function overview(commands: readonly Command[]): string {
  return [
    'Usage: causeway COMMAND [OPTIONS]',
    '',
    ...aligned(commands.map((command) => [synopsis(command), command.summary])),
    '',
    ...aligned([...COMMON, ['--version', 'Show the version.']]),
    '',
    'Settings are the gateway’s own: environment variables, or .env in the working directory.',
    'Exit codes: 0 done, 1 failed, 2 used wrongly.',
    '',
  ].join('\n');
}

/** What `causeway <command> --help` says. */
export function helpOf(command: Command): string {
  const options = Object.entries(command.options).map(([name, { value, description }]) => [
    value === undefined ? `--${name}` : `--${name} ${value}`,
    description,
  ]);
  const usage = `Usage: causeway ${synopsis(command)} [OPTIONS]`;
  return [usage, '', `${command.summary}.`, '', ...aligned([...options, ...COMMON]), ''].join('\n');
}

const COMMON = [
  ['--json', 'Print one JSON document.'],
  ['--help', 'Show this help.'],
];

function synopsis({ name, parameters }: Command): string {
  return [name, ...parameters].join(' ');
}

function aligned(pairs: readonly (readonly string[])[]): string[] {
  const width = Math.max(...pairs.map(([left = '']) => left.length));
  return pairs.map(([left = '', right = '']) => `  ${left.padEnd(width)}  ${right}`);
}
