import { isObject, listOf, membersOf } from '../../json/values.js';

/** Words that the strict mode does not know. */
const UNKNOWN = ['allOf', 'oneOf', 'not', 'if', 'patternProperties', 'dependentRequired'];

/**
 * Whether OpenAI's strict mode takes a JSON schema, which Anthropic and Google may take all the same: it is
 * an object, and each object in it is closed and requires all of its properties.
 * https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
 */
export function fitsStrict(schema: unknown): boolean {
  return isObject(schema) && isObject(schema.properties) && isStrict(schema);
}

function isStrict(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  if (UNKNOWN.some((word) => schema[word] !== undefined)) return false;
  const { type, properties, items, anyOf } = schema;
  const names = Object.keys(membersOf(properties));
  const isAnObject = type === 'object' || listOf(type).includes('object') || isObject(properties);
  const required = new Set(listOf(schema.required));
  const isClosed =
    schema.additionalProperties === false && names.every((name) => required.has(name));
  if (isAnObject && !isClosed) return false;
  const inner = [properties, schema.$defs, schema.definitions].flatMap((map) =>
    Object.values(membersOf(map)),
  );
  return [...inner, ...listOf(anyOf), ...(items === undefined ? [] : [items])].every(isStrict);
}
