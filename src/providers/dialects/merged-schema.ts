import { namedSchema } from '../../contract/input-schema.js';
import { type Fields, isObject, isText, listOf, membersOf } from '../../json/values.js';

/**
 * The schema of a tool's arguments without alternatives on top, where Claude and OpenAI refuse them: what each
 * of them has is there, what all of them require is required, and which belong together is said in words, for
 * the model to read. The same schema where there are none, or where one is not that of an object.
 * https://github.com/nspady/google-calendar-mcp/issues/39: "input_schema does not support oneOf, allOf, or
 * anyOf at the top level", "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'"
 */
export function withoutUnion(schema: unknown): unknown {
  const kinds = isObject(schema) ? unionsOf(schema) : [];
  if (!isObject(schema) || kinds.length === 0) return schema;
  const merged = merge(schema, (one) => namedSchema(one, schema));
  if (!merged) return schema;
  const said = kinds.map((kind) => `${kind}: ${JSON.stringify(schema[kind])}`).join(', ');
  const before = isText(schema.description) ? `${schema.description}\n\n` : '';
  return { ...merged, type: 'object', description: `${before}{${said}}` };
}

const UNIONS = ['anyOf', 'oneOf', 'allOf'] as const;
type Union = (typeof UNIONS)[number];

function unionsOf(schema: Fields): readonly Union[] {
  return UNIONS.filter((kind) => listOf(schema[kind]).length > 0);
}

/** One schema of all that its unions have; undefined where a part of it is not an object's. */
function merge(schema: unknown, meant = (one: unknown): unknown => one): Fields | undefined {
  if (!isObject(schema) || !isPlain(schema)) return undefined;
  let merged: Fields = without(schema);
  for (const kind of unionsOf(schema)) {
    // Each definition once, and none that others name in turn: they may name each other without an end.
    const different = [...new Set(listOf(schema[kind]).map(meant))];
    const members = different.map((one) => merge(one)).filter((one) => one !== undefined);
    if (members.length < different.length) return undefined;
    merged = { ...merged, ...together([merged, together(members, kind)], 'allOf') };
  }
  return merged;
}

function isPlain({ type, $ref: ref }: Fields): boolean {
  return (type ?? 'object') === 'object' && ref === undefined;
}

function without({ anyOf: _any, oneOf: _one, allOf: _all, ...rest }: Fields): Fields {
  return rest;
}

/** The arguments of all of them. */
function together(schemas: readonly Fields[], kind: Union): Fields {
  const found = new Map<string, Map<string, unknown>>();
  for (const { properties } of schemas) {
    for (const [name, schema] of Object.entries(membersOf(properties))) {
      const different = found.get(name) ?? new Map<string, unknown>();
      found.set(name, different.set(JSON.stringify(schema), schema));
    }
  }
  const word = kind === 'allOf' ? kind : 'anyOf';
  const properties = [...found].map(([name, different]) => {
    const [first, ...others] = different.values();
    return [name, others.length === 0 ? first : { [word]: [first, ...others] }];
  });
  const wanted = schemas.map(({ required }) => new Set(listOf(required)));
  const names = [...new Set(wanted.flatMap((each) => [...each]))];
  const required =
    kind === 'allOf' ? names : names.filter((name) => wanted.every((each) => each.has(name)));
  return { properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) };
}
