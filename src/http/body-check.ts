import { type Type } from '@nestjs/common';
import { type Edits } from '../json/splice.js';
import { type AnswerStyle, fieldsOf, shapeOf } from '../validation/dto-metadata.js';
import { type Problem, refuse, Refusal } from '../validation/validation-problem.js';
import { objectReader, type Terms } from '../validation/dto-reader.js';
import { type RuleSettings } from '../validation/value-rule.js';

/** A parsed body's problems, or what has to change in it before it goes on. */
interface Checked {
  readonly problems: readonly Problem[];
  readonly edits: Edits;
}

/** The compiled check of one DTO. */
export interface BodyCheck {
  readonly answersWith: AnswerStyle;
  readonly mayBeAbsent: boolean;
  /** Checks a parsed body; coerced, defaulted and dropped top-level fields are changed in place. */
  readonly check: (body: unknown) => Checked;
}

/** Fields that are the gateway's own and never reach a provider. */
const GATEWAY_ONLY = ['fallbacks', 'router_candidates', 'routing', 'session_id', 'extra_headers'];

const TERMS: Record<AnswerStyle, Omit<Terms, 'limits'>> = {
  'http-validation': { strictness: 'lax', mostProblems: 1000 },
  openai: { strictness: 'strict', mostProblems: 1 },
};

/** Compiles the check of a DTO; a DTO that does not say how it answers is a start-up error. */
export function bodyCheck(dto: Type, limits: RuleSettings): BodyCheck {
  const { answersWith, mayBeAbsent = false } = shapeOf(dto);
  if (!answersWith) throw new Error(`${dto.name} does not say which error body it answers with`);
  const read = objectReader(dto, { ...TERMS[answersWith], limits });
  const names = fieldsOf(dto).map(({ name }) => name);
  // Only what is called has headers for its provider; everything else stays here.
  const lookalike = names.includes('extra_headers') ? lookalikeOf(names) : undefined;
  return {
    answersWith,
    mayBeAbsent,
    check: (body) => {
      const edits = new Map<string, string | undefined>();
      const fields = body as Record<string, unknown>;
      const result = read(body, (name, value) => {
        if (value === undefined) Reflect.deleteProperty(fields, name);
        else fields[name] = value;
        edits.set(name, JSON.stringify(value));
      });
      if (result instanceof Refusal) return { problems: result.problems, edits };
      const name = lookalike?.(fields);
      if (name !== undefined) {
        return { problems: refuse('extra_forbidden', fields[name]).under(name), edits };
      }
      for (const name of GATEWAY_ONLY) {
        if (Object.hasOwn(fields, name)) edits.set(name, undefined);
      }
      return { problems: [], edits };
    },
  };
}

/**
 * Finds a field that is a known one in other letters, such as `Model`. A server that is written in Go takes it
 * for that one, and of both the last: a model would be called that nobody has looked at.
 * https://pkg.go.dev/encoding/json#Unmarshal
 */
function lookalikeOf(names: readonly string[]): (fields: object) => string | undefined {
  const known = new Set(names);
  const folded = new Set(names.map(inOneCase));
  const longest = Math.max(...names.map(({ length }) => length));
  return (fields) =>
    Object.keys(fields).find(
      (name) => name.length <= longest && !known.has(name) && folded.has(inOneCase(name)),
    );
}

/** As Go compares names: the long s is an s, and the sign for kelvin a k. */
function inOneCase(name: string): string {
  return name.toLowerCase().toUpperCase();
}
