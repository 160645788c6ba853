import { type Fields, isObject, isSameList, membersOf } from '../../json/values.js';
import { withoutUnion } from './merged-schema.js';

/**
 * A JSON schema that says of each array what is in it, `{}` for anything, without which OpenAI and Gemini
 * refuse the whole request: "array schema missing items", "items: missing field". Claude does not ask for
 * it, and tools of MCP servers often leave it out. The same schema where nothing is missing.
 * https://github.com/NousResearch/hermes-agent/pull/54290, https://github.com/AnswerDotAI/toolslm/pull/68
 */
export function withItems(schema: unknown): unknown {
  if (Array.isArray(schema)) {
    const schemas: readonly unknown[] = schema;
    const whole = schemas.map(withItems);
    return isSameList(whole, schemas) ? schema : whole;
  }
  if (!isObject(schema)) return schema;
  const whole = withEach(schema, (name, value) => {
    if (MAPS.has(name))
      return isObject(value) ? withEach(value, (_, one) => withItems(one)) : value;
    return SCHEMAS.has(name) ? withItems(value) : value;
  });
  const { type, items } = whole;
  const isArray = type === 'array' || (Array.isArray(type) && type.includes('array'));
  return isArray && (items ?? null) === null ? { ...whole, items: {} } : whole;
}

/** Members that are a schema or a list of them. */
const SCHEMAS: ReadonlySet<string> = new Set([
  ...['items', 'prefixItems', 'additionalProperties', 'anyOf', 'oneOf', 'allOf', 'not'],
]);
/** Members whose members are. */
const MAPS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
]);

function withEach(fields: Fields, change: (name: string, value: unknown) => unknown): Fields {
  const entries = Object.entries(fields);
  const changed = entries.map(([name, value]) => [name, change(name, value)] as const);
  const isSame = changed.every(([, value], at) => value === entries[at]?.[1]);
  return isSame ? fields : Object.fromEntries(changed);
}

/** OpenAI refuses an object schema that does not say that it has no properties. */
export function withProperties<T extends object>(schema: T): T {
  const { type, properties } = schema as { type?: unknown; properties?: unknown };
  return type === 'object' && properties == null ? { ...schema, properties: {} } : schema;
}

/** The tools of a relayed chat, or of relayed Responses, with such schemas; the same list where they are. */
export function wholeTools(tools: unknown): unknown {
  if (!Array.isArray(tools)) return tools;
  const given: readonly unknown[] = tools;
  const whole = given.map((tool) => {
    const { type, function: named } = membersOf(tool);
    if (type !== 'function') return tool;
    if (!isObject(named)) return wholeFunction(membersOf(tool));
    const own = wholeFunction(named);
    return own === named ? tool : { ...membersOf(tool), function: own };
  });
  return isSameList(whole, given) ? tools : whole;
}

/** A function that may be called, with such a schema; the same one where it is. */
export function wholeFunction<T extends { readonly parameters?: unknown }>(given: T): T {
  const { parameters } = given;
  if (!isObject(parameters)) return given;
  const whole = withProperties(membersOf(withItems(withoutUnion(parameters))));
  return whole === parameters ? given : { ...given, parameters: whole };
}
