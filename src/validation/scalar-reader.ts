import { ROUTER } from '../contract/router.js';
import { hasMoreCodePoints } from '../json/code-points.js';
import { booleanFromText, decimalFromText, integerFromText } from './lax-coercion.js';
import { refuse, Refusal } from './validation-problem.js';
import { type ModelIdRule, type NumberRule, type TextRule } from './value-rule.js';
import { readUuid } from './uuid.js';

/** Gives the value, coerced where its style allows it, or a `Refusal`; `owner` has it as a field. */
export type Reader = (value: unknown, owner?: Readonly<Record<string, unknown>>) => unknown;

/** Whether values are coerced as pydantic does in lax mode, or taken as they are. */
export type Strictness = 'lax' | 'strict';

const LARGEST_INT64 = 2 ** 63;

/** Reads strings. */
export function textReader({ least, most = Infinity }: TextRule): Reader {
  return (value) => {
    if (typeof value !== 'string') return refuse('string_type', value);
    if (least === 1 && value === '') return refuse('string_too_short', value, { min_length: 1 });
    // UTF-16 units are never fewer than code points, so most strings need no counting.
    if (value.length > most && hasMoreCodePoints(value, most)) {
      return refuse('string_too_long', value, { max_length: most });
    }
    return value;
  };
}

/** Reads model names. */
export function modelIdReader({ router }: ModelIdRule): Reader {
  return (value) => {
    if (typeof value !== 'string') return refuse('string_type', value);
    if (value === ROUTER) return router === 'accepted' ? value : refuse('router', value);
    const slash = value.indexOf('/');
    return slash > 0 && slash < value.length - 1 ? value : refuse('model_id', value);
  };
}

/** Reads one of a set of strings. */
export function oneOfReader(values: readonly string[]): Reader {
  const expected = alternatives(values.map((value) => `'${value}'`));
  return (value) =>
    values.includes(value as string) ? value : refuse('literal_error', value, { expected });
}

/** Reads UUIDs; they go on as they came. */
export function uuidReader(value: unknown): unknown {
  if (typeof value !== 'string') return refuse('uuid_type', value);
  const reading = readUuid(value);
  return 'error' in reading ? refuse('uuid_parsing', value, reading) : value;
}

/** Reads numbers; a lax one also from strings and booleans. */
export function numberReader(rule: NumberRule, strictness: Strictness): Reader {
  const { ge = -Infinity, le = Infinity } = rule;
  const read = NUMBERS[rule.kind][strictness];
  return (value) => {
    const number = read(value);
    if (number instanceof Refusal) return number;
    // NaN is refused by an upper bound first, as pydantic does.
    if (le < Infinity && !(number <= le)) return refuse('less_than_equal', value, { le });
    if (ge > -Infinity && !(number >= ge)) return refuse('greater_than_equal', value, { ge });
    return Number.isFinite(number) ? number : refuse('finite_number', value);
  };
}

/** Reads booleans; a lax one also from strings, 0 and 1. */
export function boolReader(strictness: Strictness): Reader {
  return strictness === 'lax' ? laxBool : strictBool;
}

/** `'a', 'b' or 'c'`. */
export function alternatives(names: readonly string[]): string {
  return names.length < 2
    ? names.join('')
    : `${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''}`;
}

type NumberReader = (value: unknown) => number | Refusal;

const NUMBERS: Record<NumberRule['kind'], Record<Strictness, NumberReader>> = {
  int: { lax: laxInt, strict: strictInt },
  float: { lax: laxFloat, strict: strictFloat },
};

function laxInt(value: unknown): number | Refusal {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return refuse('finite_number', value);
    return Number.isInteger(value) ? value : refuse('int_from_float', value);
  }
  if (typeof value === 'string') return integerFromText(value) ?? refuse('int_parsing', value);
  return typeof value === 'boolean' ? Number(value) : refuse('int_type', value);
}

function strictInt(value: unknown): number | Refusal {
  if (typeof value !== 'number') return refuse('int_type', value);
  // What JSON.parse has rounded cannot be judged.
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return refuse('int_parsing_size', value);
  return Number.isInteger(value) ? value : refuse('int_from_float', value);
}

function laxFloat(value: unknown): number | Refusal {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') return decimalFromText(value) ?? refuse('float_parsing', value);
  return typeof value === 'boolean' ? Number(value) : refuse('float_type', value);
}

function strictFloat(value: unknown): number | Refusal {
  return typeof value === 'number' ? value : refuse('float_type', value);
}

function laxBool(value: unknown): unknown {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') return booleanFromText(value) ?? refuse('bool_parsing', value);
  if (value === 0 || value === 1) return value === 1;
  const whole = Number.isInteger(value) && Math.abs(value as number) < LARGEST_INT64;
  return refuse(whole ? 'bool_parsing' : 'bool_type', value);
}

function strictBool(value: unknown): unknown {
  return typeof value === 'boolean' ? value : refuse('bool_type', value);
}
