import { parseArgs } from 'node:util';
import { unitsOfUsd, usdDecimal } from '../contract/money.js';
import { type Command, type Given, Misuse, type Option } from './command.js';

/** Reads what was given for a command. @throws Misuse for what it does not know or cannot read. */
export function readGiven(command: Command, args: readonly string[]): Given {
  const { values, positionals } = parsed(command, args);
  const { name, parameters } = command;
  if (positionals.length < parameters.length) {
    throw new Misuse(`${name} needs ${parameters.slice(positionals.length).join(' and ')}`);
  }
  if (positionals.length > parameters.length) {
    throw new Misuse(`${name} does not take '${String(positionals[parameters.length])}'`);
  }
  const fields: [string, unknown][] = [];
  const switches = new Set<string>();
  for (const [option, texts] of Object.entries(values)) {
    const description = command.options[option];
    if (!description) continue;
    if (description.value === undefined) switches.add(option);
    else fields.push([option.replaceAll('-', '_'), valueOf(option, description, texts)]);
  }
  return {
    parameters: positionals,
    fields: Object.fromEntries(fields),
    switches,
    form: 'json' in values ? 'json' : 'tables',
  };
}

/** The option that gives a field of the management API. */
export function optionOf(param: string): string {
  const [field = ''] = param.split(/[.[]/);
  return `--${field.toLowerCase().replaceAll('_', '-')}`;
}

interface Parsed {
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly positionals: readonly string[];
}

function parsed({ options }: Command, args: readonly string[]): Parsed {
  const known = Object.entries({ ...options, json: {} }).map(([name, option]) => {
    const type = 'value' in option ? ('string' as const) : ('boolean' as const);
    return [name, { type, multiple: true }] as const;
  });
  try {
    const { values, positionals } = parseArgs({
      args: joinedNumbers(args),
      options: Object.fromEntries(known),
      allowPositionals: true,
    });
    return { values: values as Parsed['values'], positionals };
  } catch (error) {
    // The rest of the message is about a way around that nobody has asked for.
    const [reason = ''] = (error as Error).message.split(/\. |\n/);
    throw new Misuse(reason.replace(/\.$/, ''));
  }
}

/** `--amount -5` would be taken for two options. */
function joinedNumbers(args: readonly string[]): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const before = joined.at(-1);
    if (/^-[\d.]/.test(arg) && before !== undefined && /^--[a-z-]+$/.test(before)) {
      joined[joined.length - 1] = `${before}=${arg}`;
    } else {
      joined.push(arg);
    }
  }
  return joined;
}

function valueOf(name: string, option: Option, texts: readonly string[]): unknown {
  const [text = ''] = texts;
  if (option.kind === 'list') {
    if (option.removable && texts.length === 1 && text === 'none') return null;
    return texts.flatMap((part) => part.split(',')).map((part) => part.trim());
  }
  if (texts.length > 1) throw new Misuse(`--${name} was given ${texts.length} times`);
  if (option.removable && text === 'none') return null;
  switch (option.kind) {
    case 'number':
      return numberOf(name, text);
    case 'usd':
      return usdOf(name, text);
    case 'spend-limit': {
      const [, amount = '', per] = /^([^/]*)\/(\w+)$/.exec(text) ?? [];
      if (per === undefined) throw wrong(name, 'an amount and a window such as 5/day', text);
      return { amount: usdOf(name, amount), per };
    }
    default:
      return text;
  }
}

function numberOf(name: string, text: string): number {
  if (!/^-?(\d+(\.\d*)?|\.\d+)$/.test(text)) throw wrong(name, 'a number', text);
  return Number(text);
}

/** A number that stands for exactly the decimal that was written. */
function usdOf(name: string, text: string): number {
  const usd = numberOf(name, text);
  const [, sign = '', whole = '', fraction = ''] =
    /^(-?)0*(\d*)\.?(\d*?)0*$/.exec(text.includes('.') ? text : `${text}.`) ?? [];
  if (fraction.length > 12) throw wrong(name, 'at most 12 decimals', text);
  const written = `${whole || '0'}${fraction && `.${fraction}`}`;
  const exact = Number.isFinite(usd) ? usdDecimal(unitsOfUsd(usd)) : '';
  if (exact !== (written === '0' ? '0' : sign + written)) {
    throw wrong(name, 'an amount of at most 15 digits', text);
  }
  return usd;
}

function wrong(name: string, expected: string, text: string): Misuse {
  return new Misuse(`--${name}: expected ${expected}, not '${text}'`);
}
