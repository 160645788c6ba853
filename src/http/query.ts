import { GatewayError } from '../contract/gateway-error.js';
import { momentOf } from './moment.js';
import { invalidValue } from './parameter-error.js';
import { alternatives } from '../validation/scalar-reader.js';

/**
 * The parameters of a query, each read as what it must be.
 *
 * @throws GatewayError 400 for a parameter that is unknown, given twice, or wrong.
 */
export class Query {
  private readonly given: ReadonlyMap<string, string>;

  constructor(query: object, known: readonly string[]) {
    this.given = new Map(
      Object.entries(query).map(([name, value]: [string, unknown]) => {
        if (!known.includes(name)) {
          const message = `Unknown query parameter: '${name}'. This route knows ${alternatives(known)}.`;
          throw new GatewayError(400, 'unsupported_parameter', message, { param: name });
        }
        if (typeof value !== 'string') throw invalidValue(name, 'expected one value');
        return [name, value];
      }),
    );
  }

  /** An empty value counts as none. */
  text(name: string): string | undefined {
    return this.given.get(name) || undefined;
  }

  oneOf<T extends string>(name: string, values: readonly T[]): T | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : member(name, text, values);
  }

  /** A list with commas; each value once. */
  someOf<T extends string>(name: string, values: readonly T[]): readonly T[] {
    const texts = this.text(name)?.split(',') ?? [];
    return [...new Set(texts.map((text) => member(name, text.trim(), values)))];
  }

  /** Unix milliseconds. */
  moment(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const moment = momentOf(text.replace(DECODED_PLUS, '+'));
    if (moment !== undefined) return moment;
    throw invalidValue(name, 'expected a date in ISO 8601 or Unix seconds');
  }

  /** Which page is asked for. */
  page(): PageQuery {
    const text = this.text('limit') ?? String(DEFAULT_LIMIT);
    const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
    if (limit >= 1 && limit <= MOST_LIMIT) return { limit, cursor: this.text('cursor') };
    throw invalidValue('limit', `expected a whole number from 1 to ${MOST_LIMIT}`);
  }
}

/** A plus before a zone that was not encoded has become a space; one between day and time is a space. */
const DECODED_PLUS = /(?<=:\d\d(?:\.\d+)?) (?=\d\d:\d\d$)/;

/** Reads a query that has the parameters of a page and no others. @throws GatewayError 400 */
export function pageQuery(query: object): PageQuery {
  return new Query(query, ['limit', 'cursor']).page();
}

/** Entries of a page, and where the next one starts. */
export interface PageQuery {
  readonly limit: number;
  readonly cursor: string | undefined;
}

const DEFAULT_LIMIT = 100;
const MOST_LIMIT = 1_000;

function member<T extends string>(name: string, text: string, values: readonly T[]): T {
  const value = values.find((candidate) => candidate === text);
  if (value !== undefined) return value;
  throw invalidValue(name, `supported values are ${alternatives(values)}`);
}
