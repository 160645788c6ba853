import { type ValidationEntry } from '../contract/gateway-error.js';
import { type Problem, type ProblemType, type Step } from '../validation/validation-problem.js';

/**
 * The entries of a 422 body, worded as pydantic 2.13 words them. What the caller sent is left out:
 * it would carry prompts into the caller's logs.
 */
export function validationEntries(
  problems: readonly Problem[],
  source: 'body' | 'query' | 'path' = 'body',
): ValidationEntry[] {
  return problems.map(({ type, place, ctx }) => ({
    type,
    loc: [source, ...place.map(shown)],
    msg: MESSAGES[type](ctx ?? {}),
    ...(ctx && { ctx }),
  }));
}

function shown(step: Step): string | number {
  return typeof step === 'object' ? step.branch : step;
}

type Words = (ctx: Readonly<Record<string, unknown>>) => string;

const MESSAGES: Record<ProblemType, Words> = {
  missing: () => 'Field required',
  string_type: () => 'Input should be a valid string',
  string_too_short: ({ min_length }) =>
    `String should have at least ${counted(min_length, 'character')}`,
  string_too_long: ({ max_length }) =>
    `String should have at most ${counted(max_length, 'character')}`,
  int_type: () => 'Input should be a valid integer',
  int_parsing: () => 'Input should be a valid integer, unable to parse string as an integer',
  int_parsing_size: () => 'Unable to parse input string as an integer, exceeded maximum size',
  int_from_float: () => 'Input should be a valid integer, got a number with a fractional part',
  float_type: () => 'Input should be a valid number',
  float_parsing: () => 'Input should be a valid number, unable to parse string as a number',
  finite_number: () => 'Input should be a finite number',
  bool_type: () => 'Input should be a valid boolean',
  bool_parsing: () => 'Input should be a valid boolean, unable to interpret input',
  uuid_type: () => 'UUID input should be a string, bytes or UUID object',
  uuid_parsing: ({ error }) => `Input should be a valid UUID, ${String(error)}`,
  list_type: () => 'Input should be a valid list',
  dict_type: () => 'Input should be a valid dictionary',
  model_attributes_type: () =>
    'Input should be a valid dictionary or object to extract fields from',
  greater_than_equal: ({ ge }) => `Input should be greater than or equal to ${String(ge)}`,
  less_than_equal: ({ le }) => `Input should be less than or equal to ${String(le)}`,
  literal_error: ({ expected }) => `Input should be ${String(expected)}`,
  too_long: ({ max_length, actual_length }) =>
    `List should have at most ${counted(max_length, 'item')} after validation, not ${String(actual_length)}`,
  too_short: ({ min_length, actual_length }) =>
    `List should have at least ${counted(min_length, 'item')} after validation, not ${String(actual_length)}`,
  extra_forbidden: () => 'Extra inputs are not permitted',
  union_type: ({ expected }) => `Input should be ${String(expected)}`,
  exactly_one: ({ of }) => `Value error, exactly one of ${String(of)} is needed`,
  model_id: () => 'Value error, a model is named provider/model',
  router: () => 'Value error, @router is not supported here',
  unsupported: () => 'Value error, the field is not supported here',
};

function counted(count: unknown, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}
