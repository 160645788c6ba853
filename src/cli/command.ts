import { type Environment } from '../config/environment.js';
import { type Units } from '../contract/money.js';

/** What a command line is run in. */
export interface Surroundings {
  readonly env: Environment;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Starts the gateway; it goes on after the promise has settled. */
  readonly serve: () => Promise<void>;
}

/** What a value is turned into before it is checked; `usd` keeps every digit or is refused. */
type ValueKind = 'text' | 'number' | 'usd' | 'list' | 'spend-limit';

/** An option `--name`; without `value` it is a switch. */
export interface Option {
  readonly description: string;
  /** What stands for the value in the help. */
  readonly value?: string;
  readonly kind?: ValueKind;
  /** `none` takes the setting away. */
  readonly removable?: true;
}

/** The options of a command, by their names without dashes. */
export type Options = Readonly<Record<string, Option>>;

/** What was given for a command: its parameters in their order, and its options. */
export interface Given {
  readonly parameters: readonly string[];
  /** In the management API's names (`rate_limit` for `--rate-limit`); `none` has become null. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The switches that are on. */
  readonly switches: ReadonlySet<string>;
  readonly form: 'json' | 'tables';
}

/** A command, and what the help says of it. */
export interface Command {
  /** One word, or two: `accounts create`. */
  readonly name: string;
  readonly summary: string;
  /** The names of its parameters; all of them are needed. */
  readonly parameters: readonly string[];
  readonly options: Options;
  /** Undefined when there is nothing to report. */
  run(given: Given, surroundings: Surroundings): Promise<Report | undefined>;
}

/** What a command has found or done, for both ways of showing it. */
export interface Report {
  /** In the management API's names; a `bigint` is money and becomes a decimal of USD. */
  readonly json: unknown;
  readonly blocks: readonly (Table | string)[];
  /** Said beside the tables, on standard error. */
  readonly hint?: string;
  /** The command has done its work and found something wrong. */
  readonly failed?: boolean;
}

/** A cell: text, a count, or money. */
export type Cell = string | number | Units | null;

/** Rows under a header; numbers stand to the right. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** What is said in place of a table without rows. */
  readonly none?: string;
}

/** The command cannot be done. Its message is one line, written for who has typed it. */
export class Impossible extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Impossible';
  }
}

/** The command line was used wrongly. Its message is one line. */
export class Misuse extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Misuse';
  }
}
