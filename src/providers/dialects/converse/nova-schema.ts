import { type Fields, isObject, membersOf, present, textOf } from '../../../json/values.js';
import { withoutUnion } from '../merged-schema.js';

/** How many schemas may be put into each other: those that have themselves in them have no end. */
const MOST_DEEP = 16;

/** Characters. Definitions that name each other twice would be more than fits anywhere. */
const MOST_GROWTH = 1_000_000;

/**
 * What the tools of one request are called with at Nova: on top it takes `type`, `properties` and `required`
 * and no other field ("extraneous key [$defs] is not permitted"), and the SDKs' helpers write more there,
 * `$schema` and `additionalProperties` among it. What is defined there stands in the places that name it
 * instead, or nothing does where that would be too much.
 * https://docs.aws.amazon.com/nova/latest/userguide/tool-use-definition.html
 */
export class NovaSchemas {
  private room = MOST_GROWTH;

  of(schema: unknown): object {
    const { $defs, definitions, ...root } = membersOf(withoutUnion(schema));
    const defined = new Map([...byName('definitions', definitions), ...byName('$defs', $defs)]);
    const { properties, required } = membersOf(this.filled(root, defined, []));
    return present({ type: 'object', properties: properties ?? {}, required });
  }

  private filled(value: unknown, defined: Definitions, within: readonly string[]): unknown {
    if (Array.isArray(value)) return value.map((item) => this.filled(item, defined, within));
    if (!isObject(value)) return value;
    const ref = textOf(value.$ref);
    const found = defined.get(ref);
    const { $ref: _ref, ...beside } = value;
    const members = Object.entries(found ? beside : value).map(([name, member]) => [
      name,
      this.filled(member, defined, within),
    ]);
    const own = Object.fromEntries(members) as Fields;
    if (!found) return own;
    const isEndless = within.includes(ref) || within.length === MOST_DEEP;
    if (isEndless || found.length > this.room) return own;
    this.room -= found.length;
    return { ...membersOf(this.filled(found.schema, defined, [...within, ref])), ...own };
  }
}

/** The schemas that others name by `$ref`, and how long they are. */
type Definitions = ReadonlyMap<string, Definition>;

interface Definition {
  readonly schema: unknown;
  readonly length: number;
}

function byName(field: string, schemas: unknown): [string, Definition][] {
  return Object.entries(membersOf(schemas)).map(([name, schema]) => [
    `#/${field}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    { schema, length: JSON.stringify(schema).length },
  ]);
}
