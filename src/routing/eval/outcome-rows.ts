import { isObject } from '../../json/values.js';
import { decimalFromText } from '../../validation/lax-coercion.js';

/** What models have made of one question. */
export interface OutcomeRow {
  readonly prompt: string;
  readonly outcomes: ReadonlyMap<string, ModelOutcome>;
}

/** How one model answered. */
interface ModelOutcome {
  /** 0 to 1. */
  readonly score: number;
  /** Undefined where the file does not say. */
  readonly costUsd: number | undefined;
}

/**
 * Reads rows `{prompt, outcomes: {model: {score, cost_usd?}}}`, one JSON object a line; a number alone
 * is a score, true and false are 1 and 0, numbers may be texts, and other fields do not matter. Where
 * a score is missing, empty, null or NaN, the model has no outcome.
 *
 * @throws Error that names the file and the line.
 */
export function readRows(text: string, name: string): OutcomeRow[] {
  const rows = text.split('\n').flatMap((line, index) => {
    // Files that were put together have a mark of the encoding before the first line of each.
    const row = line.replace(/^\uFEFF/, '');
    if (row.trim() === '') return [];
    try {
      return [rowOf(parsed(row))];
    } catch (error) {
      throw new Error(`${name} line ${index + 1}: ${(error as Error).message}`, { cause: error });
    }
  });
  if (rows.length === 0) throw new Error(`${name} has no rows`);
  return rows;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    // Python writes a missing number so.
    const plain = line.replace(/"(?:[^"\\]|\\.)*"|\bNaN\b/g, (token) =>
      token === 'NaN' ? 'null' : token,
    );
    if (plain === line) throw error;
    return JSON.parse(plain);
  }
}

function rowOf(value: unknown): OutcomeRow {
  const { prompt, outcomes } = (value ?? {}) as { prompt?: unknown; outcomes?: unknown };
  if (typeof prompt !== 'string') throw new Error('prompt must be a text');
  if (!isObject(outcomes)) throw new Error('outcomes must be an object, a member for each model');
  const read = Object.entries(outcomes).flatMap(([model, outcome]): [string, ModelOutcome][] => {
    const { score: given, cost_usd: cost } = isObject(outcome) ? outcome : { score: outcome };
    const score = numberIn(given);
    if (score === undefined) return [];
    if (!(score >= 0 && score <= 1)) throw wrong(model, 'score', given, 'a number from 0 to 1');
    const costUsd = numberIn(cost);
    const isCost = costUsd === undefined || (costUsd >= 0 && costUsd <= MOST_USD);
    if (!isCost) throw wrong(model, 'cost_usd', cost, 'a number, 0 or more and at most 1e12');
    return [[model, { score, costUsd }]];
  });
  return { prompt, outcomes: new Map(read) };
}

/** Of millions of rows the sum is still a number that can be reckoned with. */
const MOST_USD = 1e12;

/** Undefined where there is none; -1 for what is no number. */
function numberIn(given: unknown): number | undefined {
  if (given === undefined || given === null || given === '') return undefined;
  const number =
    typeof given === 'string'
      ? decimalFromText(given)
      : typeof given === 'boolean'
        ? Number(given)
        : given;
  if (Number.isNaN(number)) return undefined;
  return typeof number === 'number' ? number : -1;
}

function wrong(model: string, field: string, given: unknown, what: string): Error {
  return new Error(`${field} of ${model} is ${JSON.stringify(given)}, and must be ${what}`);
}
