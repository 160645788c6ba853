/** A form of a union that a value failed; it shows in a 422's `loc`, but is no field of the body. */
interface Branch {
  readonly branch: string;
}

/** A field, an item or a form of a union: one step from a value to what it holds. */
export type Step = string | number | Branch;

/** What can be wrong with a value: pydantic's error types, and below them the gateway's own. */
export type ProblemType =
  | 'missing'
  | 'string_type'
  | 'string_too_short'
  | 'string_too_long'
  | 'int_type'
  | 'int_parsing'
  | 'int_parsing_size'
  | 'int_from_float'
  | 'float_type'
  | 'float_parsing'
  | 'finite_number'
  | 'bool_type'
  | 'bool_parsing'
  | 'uuid_type'
  | 'uuid_parsing'
  | 'list_type'
  | 'dict_type'
  | 'model_attributes_type'
  | 'greater_than_equal'
  | 'less_than_equal'
  | 'literal_error'
  | 'too_long'
  | 'too_short'
  | 'extra_forbidden'
  | 'union_type'
  | 'exactly_one'
  | 'model_id'
  | 'router'
  | 'unsupported';

/** One thing that is wrong with a value. */
export interface Problem {
  readonly type: ProblemType;
  /** From the value that was checked down to the one at fault. */
  readonly place: readonly Step[];
  readonly ctx?: Readonly<Record<string, unknown>>;
  /** What was found there. It is never shown, only its kind and size are. */
  readonly value: unknown;
}

/** Stands where a checked value would, when there is something wrong with it. */
export class Refusal {
  constructor(readonly problems: readonly Problem[]) {}

  /** The same problems, seen from one level further up. */
  under(step: Step): readonly Problem[] {
    return this.problems.map((problem) => ({ ...problem, place: [step, ...problem.place] }));
  }
}

/** A value refused for one reason. */
export function refuse(type: ProblemType, value: unknown, ctx?: Problem['ctx']): Refusal {
  return new Refusal([{ type, place: [], value, ...(ctx && { ctx }) }]);
}
