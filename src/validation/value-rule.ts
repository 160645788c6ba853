import { type Type } from '@nestjs/common';
import { type Config } from '../config/config.js';

/** The settings that a rule may be bounded by. */
export type RuleSettings = Pick<Config, 'embeddingsMaxInputs'>;

/** What a JSON value must be. Data only: the check and the OpenAPI schema are both made from it. */
export type Rule =
  | TextRule
  | ModelIdRule
  | NumberRule
  | ListRule
  | DictRule
  | AlsoInRule
  | { readonly kind: 'bool' }
  | { readonly kind: 'uuid' }
  | { readonly kind: 'one-of'; readonly values: readonly string[] }
  | { readonly kind: 'nested'; readonly dto: Type }
  | { readonly kind: 'either'; readonly branches: readonly Rule[] }
  | { readonly kind: 'anything' }
  | { readonly kind: 'unsupported'; readonly hint: string | undefined };

/** A string; 1 is the only least length that is asked for. */
export interface TextRule {
  readonly kind: 'text';
  readonly least?: 1;
  /** In code points. */
  readonly most?: number;
}

/** A model's name of the form `provider/model`. */
export interface ModelIdRule {
  readonly kind: 'model-id';
  readonly router: 'accepted' | 'refused';
}

/** A number between `ge` and `le`, both included. */
export interface NumberRule {
  readonly kind: 'int' | 'float';
  readonly ge?: number;
  readonly le?: number;
}

/** An array whose items all follow one rule; its longest may be a setting. */
export interface ListRule {
  readonly kind: 'list';
  readonly of: Rule;
  readonly least?: number;
  readonly most?: number | keyof RuleSettings;
}

/** An object of free keys. */
export interface DictRule {
  readonly kind: 'dict';
  /** What every value must be; absent when the object is free-form. */
  readonly of?: Rule;
}

/** A value that may take another form as well in objects of certain types. */
interface AlsoInRule {
  readonly kind: 'also-in';
  readonly usual: Rule;
  /** Matches the `type` of the objects in which `other` is accepted beside `usual`. */
  readonly types: RegExp;
  readonly other: Rule;
}

type Bounds<R> = Omit<R, 'kind' | 'of'>;

/** A string. */
export const text = (bounds: Bounds<TextRule> = {}): Rule => ({ kind: 'text', ...bounds });
/** A whole number. */
export const int = (bounds: Bounds<NumberRule> = {}): Rule => ({ kind: 'int', ...bounds });
/** A number. */
export const float = (bounds: Bounds<NumberRule> = {}): Rule => ({ kind: 'float', ...bounds });
/** True or false. */
export const bool = (): Rule => ({ kind: 'bool' });
/** A UUID, in any of the forms that `readUuid` knows. */
export const uuid = (): Rule => ({ kind: 'uuid' });
/** One of these strings. */
export const oneOf = (...values: string[]): Rule => ({ kind: 'one-of', values });
/** Any JSON value. */
export const anything = (): Rule => ({ kind: 'anything' });
/** An object that a DTO describes. */
export const nested = (dto: Type): Rule => ({ kind: 'nested', dto });

/** `provider/model`, and where it is accepted `@router`. */
export const modelId = (router: ModelIdRule['router']): Rule => ({ kind: 'model-id', router });

/** An array of such values. */
export const listOf = (of: Rule, bounds: Bounds<ListRule> = {}): Rule => ({
  kind: 'list',
  of,
  ...bounds,
});

/** An object; `of` says what its values must be, otherwise they are free. */
export const dict = (of?: Rule): Rule => ({ kind: 'dict', ...(of && { of }) });

/** A value as `usual`, or in an object whose `type` matches as `other`. */
export const alsoIn = (types: RegExp, other: Rule, usual: Rule): Rule => ({
  kind: 'also-in',
  usual,
  types,
  other,
});

/** A value of several forms, told apart by their JSON type and that of a list's first item. */
export const either = (...branches: Rule[]): Rule => ({ kind: 'either', branches });

/** A field that this endpoint does not have; only null is let through. The hint says what to do instead. */
export const unsupported = (hint?: string): Rule => ({ kind: 'unsupported', hint });

/** The name pydantic gives a form of a union, such as `list[dict[str,any]]`. */
export function pydanticName(rule: Rule): string {
  switch (rule.kind) {
    case 'text':
    case 'model-id':
      return 'str';
    case 'list':
      return `list[${pydanticName(rule.of)}]`;
    case 'dict':
      return `dict[str,${rule.of ? pydanticName(rule.of) : 'any'}]`;
    case 'nested':
      return rule.dto.name;
    case 'anything':
      return 'any';
    default:
      return rule.kind;
  }
}

/** What a caller would call such a value: `an array of strings`. */
export function plainName(rule: Rule): string {
  if (rule.kind === 'list') return `an array of ${plural(rule.of)}`;
  const noun = NOUNS[rule.kind];
  return /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`;
}

function plural(rule: Rule): string {
  return rule.kind === 'list' ? `arrays of ${plural(rule.of)}` : `${NOUNS[rule.kind]}s`;
}

const NOUNS: Record<Exclude<Rule['kind'], 'list'>, string> = {
  text: 'string',
  'model-id': 'string',
  'one-of': 'string',
  uuid: 'string',
  int: 'integer',
  float: 'number',
  bool: 'boolean',
  dict: 'object',
  'also-in': 'value',
  nested: 'object',
  either: 'value',
  anything: 'value',
  unsupported: 'value',
};
