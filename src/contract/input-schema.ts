import { type Fields, isObject, membersOf } from '../json/values.js';

/**
 * The schema of a tool's arguments as that of an object, which Anthropic and Bedrock want it to say. OpenAI
 * takes one that says nothing at all, and libraries write one that only names another, where it is recursive.
 */
export function inputSchema(parameters: unknown): Fields {
  const schema = membersOf(parameters);
  if ('type' in schema) return schema;
  const meant = namedSchema(schema, schema);
  if (meant === schema || !isObject(meant)) return { type: 'object', properties: {}, ...schema };
  const { $ref: _ref, ...beside } = schema;
  return { type: 'object', ...meant, ...beside };
}

/** The schema that another only names, where it is defined in `root`. */
export function namedSchema(schema: unknown, root: Fields): unknown {
  const { $ref: ref } = membersOf(schema);
  const [, field = '', name = ''] = /^#\/(\$defs|definitions)\/([^/~]+)$/.exec(String(ref)) ?? [];
  return name === '' ? schema : membersOf(root[field])[name];
}
