import { type ErrorCode, GatewayError } from '../contract/gateway-error.js';
import { codePoints } from '../json/code-points.js';
import { type Problem, type ProblemType, type Step } from '../validation/validation-problem.js';

/**
 * The 400 of the OpenAI family for a problem with a body. `param` is the dotted path of the field;
 * a field that may take several forms is named as a whole, and the message has the full path.
 */
export function parameterError({ type, place, ctx, value }: Problem): GatewayError {
  const [code, words] = ANSWERS[type];
  const branch = place.findIndex((step) => typeof step === 'object');
  const param = dotted(branch < 0 ? place : place.slice(0, branch));
  const name = dotted(place);
  const message = words({ name: name ? `'${name}'` : 'body', ctx: ctx ?? {}, value });
  return new GatewayError(400, code, message, param ? { param } : {});
}

/** The 400 of the OpenAI family for a value that was understood and does not do; `reason` says why. */
export function invalidValue(param: string, reason: string): GatewayError {
  return new GatewayError(400, 'invalid_value', `Invalid '${param}': ${reason}.`, { param });
}

function dotted(place: readonly Step[]): string {
  return place
    .map((step) => {
      if (typeof step === 'object') return '';
      return typeof step === 'number' ? `[${step}]` : `.${step}`;
    })
    .join('')
    .replace(/^\./, '');
}

interface Subject {
  readonly name: string;
  readonly ctx: Readonly<Record<string, unknown>>;
  readonly value: unknown;
}

type Words = (subject: Subject) => string;

const ANSWERS: Record<ProblemType, readonly [ErrorCode, Words]> = {
  missing: ['missing_required_parameter', ({ name }) => `Missing required parameter: ${name}.`],
  string_type: wrongType('a string'),
  int_type: wrongType('an integer'),
  int_parsing: wrongType('an integer'),
  int_from_float: wrongType('an integer'),
  float_type: wrongType('a number'),
  float_parsing: wrongType('a number'),
  bool_type: wrongType('a boolean'),
  bool_parsing: wrongType('a boolean'),
  uuid_type: wrongType('a UUID'),
  uuid_parsing: wrongValue(() => 'expected a UUID'),
  list_type: wrongType('an array'),
  dict_type: wrongType('an object'),
  model_attributes_type: wrongType('an object'),
  union_type: ['invalid_type', (subject) => wrongType(String(subject.ctx['expected']))[1](subject)],
  int_parsing_size: wrongValue(() => 'the number is too large'),
  finite_number: wrongValue(() => 'the number is too large'),
  greater_than_equal: wrongValue(
    ({ ctx, value }) =>
      `expected a value >= ${String(ctx['ge'])}, but got ${String(value)} instead`,
  ),
  less_than_equal: wrongValue(
    ({ ctx, value }) =>
      `expected a value <= ${String(ctx['le'])}, but got ${String(value)} instead`,
  ),
  literal_error: wrongValue(({ ctx }) => `supported values are ${String(ctx['expected'])}`),
  too_long: wrongValue(
    ({ ctx }) =>
      `expected an array with at most ${String(ctx['max_length'])} items, but got one with ${String(ctx['actual_length'])} instead`,
  ),
  too_short: wrongValue(() => 'expected a non-empty array'),
  string_too_short: wrongValue(() => 'expected a non-empty string'),
  string_too_long: [
    'string_above_max_length',
    ({ name, ctx, value }) =>
      `Invalid ${name}: string too long. Expected a string with maximum length ${String(ctx['max_length'])}, but got a string with length ${codePoints(String(value))} instead.`,
  ],
  exactly_one: wrongValue(({ ctx }) => `expected exactly one of ${String(ctx['of'])}`),
  model_id: wrongValue(() => "expected '<provider>/<model>'"),
  router: wrongValue(() => "'@router' is not supported here; name one '<provider>/<model>'"),
  extra_forbidden: ['unsupported_parameter', ({ name }) => `Unknown parameter: ${name}.`],
  unsupported: [
    'unsupported_parameter',
    ({ name, ctx: { hint } }) => {
      const instead = typeof hint === 'string' ? `: ${hint}` : '';
      return `Unsupported parameter: ${name} is not supported on this endpoint${instead}.`;
    },
  ],
};

function wrongType(expected: string): readonly [ErrorCode, Words] {
  return [
    'invalid_type',
    ({ name, value }) =>
      `Invalid type for ${name}: expected ${expected}, but got ${kindOf(value)} instead.`,
  ];
}

function wrongValue(reason: Words): readonly [ErrorCode, Words] {
  return ['invalid_value', (subject) => `Invalid ${subject.name}: ${reason(subject)}.`];
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a decimal number';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
