import { type Fields, isObject, listOf } from '../json/values.js';

/** Down to here optional members are made too; below, only what the schema demands. */
const DETAILED = 5;
const DEEPEST = 24;
/** Characters of JSON, roughly, and steps of work: a schema is the caller's and may be hostile. */
const LARGEST = 16_384;
const MOST_BRANCHES = 64;
const MOST_NAMES = 1024;
const MOST_ITEMS = 32;
const LONGEST_TEXT = 1024;

const TEXT = 'text';
/** https://json-schema.org/understanding-json-schema/reference/type#built-in-formats */
const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  time: '00:00:00Z',
  duration: 'P1D',
  email: 'someone@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
};

/** Shrinks with everything that is made or looked at; at 0 the rest is left out. */
interface Work {
  readonly root: unknown;
  left: number;
}

/**
 * A value that fits a JSON schema, always the same one. `pattern`, `not` and `uniqueItems` are not
 * heeded, and a schema that demands something huge or endless gets a value that stops short of it.
 */
export function instanceOf(schema: unknown): unknown {
  return make(schema, { root: schema, left: LARGEST }, 0);
}

function make(given: unknown, work: Work, depth: number): unknown {
  const schema = flatten(given, work, depth);
  if (Object.hasOwn(schema, 'const')) return chosen(schema.const, work);
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return chosen(schema.enum[0], work);
  if (Object.hasOwn(schema, 'default')) return chosen(schema.default, work);
  switch (typeOf(schema, depth)) {
    case 'object':
      return object(schema, work, depth);
    case 'array':
      return array(schema, work, depth);
    case 'integer':
      return numeric(schema, 1);
    case 'number':
      return numeric(schema, 0);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return text(schema, work);
  }
}

/** The schema with its `$ref`, `allOf` and the branch taken of `anyOf` and `oneOf` laid over it. */
function flatten(given: unknown, work: Work, depth: number): Fields {
  work.left -= 4;
  if (!isObject(given) || depth > DEEPEST || work.left <= 0) return {};
  const { $ref, allOf, anyOf, oneOf } = given;
  const parts = [
    ...(typeof $ref === 'string' ? [pointedAt($ref, work)] : []),
    ...listOf(allOf).slice(0, MOST_BRANCHES),
    ...branch(listOf(anyOf), depth),
    ...branch(listOf(oneOf), depth),
  ];
  if (parts.length === 0) return given;
  // They are copied, and again at each step of a reference that leads back to itself.
  work.left -= Object.keys(given).length;
  if (work.left <= 0) return {};
  return parts.reduce<Fields>((whole, part) => merge(whole, flatten(part, work, depth + 1), work), {
    ...given,
    $ref: undefined,
    allOf: undefined,
    anyOf: undefined,
    oneOf: undefined,
  });
}

function branch(branches: readonly unknown[], depth: number): readonly unknown[] {
  const few = branches.slice(0, MOST_BRANCHES);
  const wantsNull = depth > DETAILED;
  const isNull = (schema: unknown) =>
    isObject(schema) && (schema.type === 'null' || schema.const === null);
  const taken = few.find((schema) => isNull(schema) === wantsNull) ?? few[0];
  return taken === undefined ? [] : [taken];
}

function pointedAt(reference: string, work: Work): unknown {
  work.left -= reference.length;
  // Of a long one its steps alone would take seconds.
  if (work.left <= 0) return undefined;
  const [root, ...steps] = reference.split('/');
  if (root !== '#') return undefined;
  return steps.reduce<unknown>((at, step) => {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    return typeof at === 'object' && at !== null && Object.hasOwn(at, name)
      ? (at as Fields)[name]
      : undefined;
  }, work.root);
}

function merge(whole: Fields, part: Fields, work: Work): Fields {
  const size = (schema: Fields) =>
    Object.keys(schema).length +
    (isObject(schema.properties) ? Object.keys(schema.properties).length : 0) +
    listOf(schema.required).length;
  work.left -= size(whole) + size(part);
  if (work.left <= 0) return {};
  const merged: Record<string, unknown> = { ...whole, ...part };
  if (isObject(whole.properties) && isObject(part.properties)) {
    merged.properties = { ...whole.properties, ...part.properties };
  }
  merged.required = [...listOf(whole.required), ...listOf(part.required)];
  return merged;
}

function chosen(value: unknown, work: Work): unknown {
  work.left -= JSON.stringify(value).length;
  return work.left < 0 ? null : value;
}

function typeOf(schema: Fields, depth: number): unknown {
  const { type } = schema;
  if (Array.isArray(type)) {
    const types: readonly unknown[] = type.slice(0, MOST_BRANCHES);
    const wantsNull = depth > DETAILED;
    return types.find((name) => (name === 'null') === wantsNull) ?? types[0];
  }
  if (type !== undefined) return type;
  if ('properties' in schema || listOf(schema.required).length > 0) return 'object';
  if ('items' in schema || 'prefixItems' in schema) return 'array';
  return 'minimum' in schema || 'maximum' in schema ? 'number' : 'string';
}

function object(schema: Fields, work: Work, depth: number): Fields {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = listOf(schema.required).slice(0, MOST_NAMES);
  const declared = depth <= DETAILED ? Object.keys(properties).slice(0, MOST_NAMES) : [];
  const members: [string, unknown][] = [];
  for (const name of new Set([...declared, ...required])) {
    if (work.left <= 0) break;
    if (typeof name !== 'string') continue;
    work.left -= name.length;
    const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
    members.push([name, make(member, work, depth + 1)]);
  }
  return Object.fromEntries(members);
}

function array(schema: Fields, work: Work, depth: number): readonly unknown[] {
  const tuple = listOf(schema.prefixItems ?? schema.items);
  const wanted = Math.max(count(schema.minItems), tuple.length, depth <= DETAILED ? 1 : 0);
  const length = Math.min(wanted, count(schema.maxItems, MOST_ITEMS), MOST_ITEMS);
  const items: unknown[] = [];
  while (items.length < length && work.left > 0) {
    items.push(make(tuple[items.length] ?? schema.items, work, depth + 1));
  }
  return items;
}

function numeric(schema: Fields, step: number): number {
  const bound = (name: string, absent: number) =>
    typeof schema[name] === 'number' ? schema[name] : absent;
  const above = bound('exclusiveMinimum', -Infinity);
  const below = bound('exclusiveMaximum', Infinity);
  const low = Math.max(bound('minimum', -Infinity), above);
  const high = Math.min(bound('maximum', Infinity), below);
  const multiple = bound('multipleOf', step);
  const grid = multiple > 0 ? multiple : 1;
  const first = Math.ceil(low / grid) * grid;
  const last = Math.floor(high / grid) * grid;
  const candidates = [1, 0, first, first + grid, last, last - grid, low, high, (low + high) / 2];
  const fits = (value: number) =>
    Number.isFinite(value) &&
    value >= low &&
    value <= high &&
    value !== above &&
    value !== below &&
    (step === 0 || Number.isInteger(value)) &&
    (multiple <= 0 || Number.isInteger(value / multiple));
  return candidates.find(fits) ?? 0;
}

function text(schema: Fields, work: Work): string {
  const format = typeof schema.format === 'string' ? schema.format : '';
  const known = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  const made =
    known ??
    TEXT.padEnd(count(schema.minLength), 'x').slice(0, count(schema.maxLength, LONGEST_TEXT));
  work.left -= made.length;
  return made;
}

function count(value: unknown, absent = 0): number {
  return typeof value === 'number' && value >= 0 ? Math.min(value, LONGEST_TEXT) : absent;
}
