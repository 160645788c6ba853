import { type Fields, isObject } from '../../../json/values.js';

/**
 * A JSON schema as Anthropic's structured outputs take it: objects are closed, `oneOf` is `anyOf`, and
 * what cannot be enforced is said in the description instead, for the model to read.
 * https://docs.anthropic.com/en/docs/build-with-claude/structured-outputs#json-schema-limitations
 */
export function anthropicSchema(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const kept: [string, unknown][] = [];
  const said: string[] = [];
  for (const [name, value] of Object.entries(schema)) {
    if (name === 'oneOf') kept.push(['anyOf', inner(name, value)]);
    else if (name === '$schema' || name === 'additionalProperties') continue;
    else if (isEnforced(name, value)) kept.push([name, inner(name, value)]);
    else said.push(`${name}: ${JSON.stringify(value)}`);
  }
  const { additionalProperties: rest, description } = schema;
  if (isObject(rest)) said.push(`additionalProperties: ${JSON.stringify(rest)}`);
  if (said.length > 0) {
    const before = typeof description === 'string' ? `${description}\n\n` : '';
    kept.push(['description', `${before}{${said.join(', ')}}`]);
  }
  if (isObjectType(schema)) kept.push(['additionalProperties', false]);
  return Object.fromEntries(kept);
}

/** Names under which further schemas stand, by the form in which they do. */
const LISTS = new Set(['anyOf', 'oneOf', 'allOf']);
const MAPS = new Set(['properties', '$defs', 'definitions']);

const ENFORCED = new Set([
  ...LISTS,
  ...MAPS,
  '$ref',
  'const',
  'default',
  'description',
  'enum',
  'items',
  'required',
  'title',
  'type',
]);

const FORMATS = new Set<unknown>([
  'date',
  'date-time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'time',
  'uri',
  'uuid',
]);

function isEnforced(name: string, value: unknown): boolean {
  if (name === 'format') return FORMATS.has(value);
  if (name === 'minItems') return value === 0 || value === 1;
  return ENFORCED.has(name);
}

function inner(name: string, value: unknown): unknown {
  if (name === 'items') return anthropicSchema(value);
  if (LISTS.has(name) && Array.isArray(value)) return value.map(anthropicSchema);
  if (!MAPS.has(name) || !isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, schema]) => [key, anthropicSchema(schema)]),
  );
}

function isObjectType({ type, properties }: Fields): boolean {
  return (
    type === 'object' || (Array.isArray(type) && type.includes('object')) || isObject(properties)
  );
}
