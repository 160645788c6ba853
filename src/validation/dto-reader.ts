import { type Type } from '@nestjs/common';
import { isObject } from '../json/values.js';
import { fieldsOf, shapeOf } from './dto-metadata.js';
import { type Problem, refuse, Refusal, type Step } from './validation-problem.js';
import {
  type DictRule,
  type RuleSettings,
  type ListRule,
  plainName,
  pydanticName,
  type Rule,
} from './value-rule.js';
import {
  alternatives,
  boolReader,
  modelIdReader,
  numberReader,
  oneOfReader,
  type Reader,
  type Strictness,
  textReader,
  uuidReader,
} from './scalar-reader.js';

/** On what terms values are read. */
export interface Terms {
  readonly strictness: Strictness;
  readonly limits: RuleSettings;
  /** A hostile body can have millions of problems; after about this many the reading stops. */
  readonly mostProblems: number;
}

/** Hears of each field that goes on otherwise than it came; undefined means not at all. */
export type Change = (name: string, value: unknown) => void;

/** Compiles a rule. A reader allocates next to nothing for a value that is as it should be. */
export function readerOf(rule: Rule, terms: Terms): Reader {
  switch (rule.kind) {
    case 'text':
      return textReader(rule);
    case 'model-id':
      return modelIdReader(rule);
    case 'int':
    case 'float':
      return numberReader(rule, terms.strictness);
    case 'bool':
      return boolReader(terms.strictness);
    case 'one-of':
      return oneOfReader(rule.values);
    case 'uuid':
      return uuidReader;
    case 'list':
      return listReader(rule, terms);
    case 'dict':
      return dictReader(rule, terms);
    case 'also-in': {
      const read = readerOf(rule.usual, terms);
      const isOther = formOf(rule.other);
      return (value, owner) =>
        isOther(value) && rule.types.test(String(owner?.['type'])) ? value : read(value, owner);
    }
    case 'nested': {
      const read = objectReader(rule.dto, terms);
      return (value) => read(value);
    }
    case 'either':
      return eitherReader(rule.branches, terms);
    case 'anything':
      return (value) => value;
    case 'unsupported':
      return (value) => refuse('unsupported', value, { hint: rule.hint });
  }
}

/** Compiles a DTO from what its decorators told class-validator. */
export function objectReader(
  dto: Type,
  terms: Terms,
): (value: unknown, change?: Change) => unknown {
  const fields = fieldsOf(dto).map((field) => ({ ...field, read: readerOf(field.rule, terms) }));
  const known = new Set(fields.map((field) => field.name));
  const { unknownFields, exactlyOneOf } = shapeOf(dto);
  return (value, change) => {
    if (!isObject(value)) return refuse('model_attributes_type', value);
    let found: Problem[] | undefined;
    for (const { name, required, whenAbsent, read } of fields) {
      const held = Object.hasOwn(value, name) ? value[name] : undefined;
      if (held === undefined || (held === null && !required)) {
        if (required) found = noted(found, name, refuse('missing', held));
        else if (held === null || whenAbsent !== undefined) change?.(name, whenAbsent);
        continue;
      }
      const result = read(held, value);
      if (result instanceof Refusal) found = noted(found, name, result);
      else if (result !== held) change?.(name, result);
    }
    if (unknownFields === 'refused') {
      for (const name of Object.keys(value)) {
        if (found && found.length >= terms.mostProblems) break;
        if (!known.has(name)) found = noted(found, name, refuse('extra_forbidden', value[name]));
      }
    }
    if (found) return new Refusal(found);
    if (!exactlyOneOf) return value;
    const present = exactlyOneOf.filter((name) => (value[name] ?? null) !== null);
    return present.length === 1
      ? value
      : refuse('exactly_one', value, { of: alternatives(exactlyOneOf) });
  };
}

function listReader({ of, least = 0, most }: ListRule, terms: Terms): Reader {
  const read = readerOf(of, terms);
  const longest = typeof most === 'string' ? terms.limits[most] : (most ?? Infinity);
  return (value) => {
    if (!Array.isArray(value)) return refuse('list_type', value);
    const items: readonly unknown[] = value;
    if (items.length > longest) return wrongLength('too_long', items, { max_length: longest });
    if (items.length < least) return wrongLength('too_short', items, { min_length: least });
    let found: Problem[] | undefined;
    for (let index = 0; index < items.length; index++) {
      const result = read(items[index]);
      if (!(result instanceof Refusal)) continue;
      found = noted(found, index, result);
      if (found.length >= terms.mostProblems) break;
    }
    return found ? new Refusal(found) : value;
  };
}

function wrongLength(
  type: 'too_long' | 'too_short',
  items: readonly unknown[],
  bound: Readonly<Record<string, number>>,
): Refusal {
  return refuse(type, items, { field_type: 'List', ...bound, actual_length: items.length });
}

function dictReader({ of }: DictRule, terms: Terms): Reader {
  if (!of) return (value) => (isObject(value) ? value : refuse('dict_type', value));
  const read = readerOf(of, terms);
  return (value) => {
    if (!isObject(value)) return refuse('dict_type', value);
    let found: Problem[] | undefined;
    for (const key of Object.keys(value)) {
      const result = read(value[key]);
      if (!(result instanceof Refusal)) continue;
      found = noted(found, key, result);
      if (found.length >= terms.mostProblems) break;
    }
    return found ? new Refusal(found) : value;
  };
}

/**
 * pydantic tells what every form of the union misses. Without coercion the caller is told of the
 * form that was meant.
 */
function eitherReader(rules: readonly Rule[], terms: Terms): Reader {
  const branches = rules.map((rule) => ({
    fits: formOf(rule),
    read: readerOf(rule, terms),
    step: { branch: pydanticName(rule) },
  }));
  const expected = alternatives(rules.map(plainName));
  return (value) => {
    for (const { fits, read, step } of branches) {
      if (!fits(value)) continue;
      const result = read(value);
      if (!(result instanceof Refusal)) return result;
      if (terms.strictness === 'strict') return new Refusal(result.under(step));
      break;
    }
    if (terms.strictness === 'strict') return refuse('union_type', value, { expected });
    return new Refusal(
      branches.flatMap(({ read, step }) => {
        const result = read(value);
        return result instanceof Refusal ? result.under(step) : [];
      }),
    );
  };
}

/** Whether a value has the JSON type of a rule; a list is known by its first item. */
function formOf(rule: Rule): (value: unknown) => boolean {
  switch (rule.kind) {
    case 'text':
    case 'model-id':
    case 'one-of':
    case 'uuid':
      return (value) => typeof value === 'string';
    case 'int':
    case 'float':
      return (value) => typeof value === 'number';
    case 'bool':
      return (value) => typeof value === 'boolean';
    case 'dict':
    case 'nested':
      return isObject;
    case 'list': {
      const fits = formOf(rule.of);
      return (value) => Array.isArray(value) && (value.length === 0 || fits(value[0]));
    }
    default:
      return () => true;
  }
}

function noted(found: Problem[] | undefined, step: Step, refusal: Refusal): Problem[] {
  const all = found ?? [];
  all.push(...refusal.under(step));
  return all;
}
