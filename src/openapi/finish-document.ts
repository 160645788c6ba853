import { type OpenAPIObject } from '@nestjs/swagger';
import { FIELD_DESCRIPTIONS } from './field-descriptions.js';

/** The interface's names of schemas whose classes are named as a 422's `loc` names them. */
const SCHEMA_NAMES: Readonly<Record<string, string>> = {
  AnthropicMessage: 'Message',
  AnthropicContentBlock: 'ContentBlock',
};
/** Under these keywords stands data, not schemas. */
const DATA = new Set(['example', 'examples', 'default', 'enum']);

/** The generated document with the interface's names, flat unions and a description on each field. */
export function finishDocument(document: OpenAPIObject): OpenAPIObject {
  const { schemas = {} } = document.components ?? {};
  const finished = Object.entries(schemas)
    .map(([name, schema]): [string, Schema] => [
      SCHEMA_NAMES[name] ?? name,
      described(schema as Schema, FIELD_DESCRIPTIONS[name] ?? {}),
    ])
    .sort(([one], [other]) => one.localeCompare(other));
  const components = { ...document.components, schemas: Object.fromEntries(finished) as object };
  return rewritten({ ...document, components }) as OpenAPIObject;
}

interface Schema {
  readonly properties?: Readonly<Record<string, object>>;
}

function described(schema: Schema, descriptions: Readonly<Record<string, string>>): Schema {
  const { properties } = schema;
  if (!properties) return schema;
  const fields = Object.entries(properties).map(([name, field]) => {
    const description = descriptions[name];
    return [name, description === undefined ? field : { description, ...field }];
  });
  return { ...schema, properties: Object.fromEntries(fields) as typeof properties };
}

function rewritten(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(rewritten);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).map(([key, value]): [string, unknown] => {
    if (key === '$ref') return [key, renamed(String(value))];
    return [key, DATA.has(key) ? value : rewritten(value)];
  });
  return withFlatUnion(Object.fromEntries(entries));
}

function renamed(reference: string): string {
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  return reference.slice(0, reference.length - name.length) + (SCHEMA_NAMES[name] ?? name);
}

interface Union {
  readonly oneOf?: readonly object[];
  readonly anyOf?: readonly object[];
}

/** Forms that differ in their type need no `oneOf`; a union inside a union becomes part of it. */
function withFlatUnion(schema: Union & Readonly<Record<string, unknown>>): object {
  const { oneOf, ...rest } = schema;
  const isUnion = oneOf?.every((form) => 'type' in form || '$ref' in form);
  const forms = isUnion ? oneOf : schema.anyOf;
  if (!forms) return schema;
  const flat = forms.flatMap((form: Union) =>
    form.anyOf && Object.keys(form).length === 1 ? form.anyOf : form,
  );
  return { ...(isUnion ? rest : schema), anyOf: flat };
}
