import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { workedMs } from '../../test/support/worked-ms.js';
import { instanceOf } from './schema-instance.js';

const ajv = new Ajv2020({ strict: false });
formats.default(ajv);

const node = {
  type: 'object',
  properties: {
    value: { type: 'integer' },
    next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] },
    children: { type: 'array', items: { $ref: '#/$defs/node' } },
  },
  required: ['value', 'next', 'children'],
  additionalProperties: false,
};

const valid: readonly (readonly [string, object])[] = [
  ['scalars', object({ a: { type: 'string' }, b: { type: 'integer' }, c: { type: 'boolean' } })],
  ['required members that are not declared', { type: 'object', required: ['a', 'b'] }],
  [
    'const, enum and default',
    object({ a: { const: 7 }, b: { enum: ['x', 1] }, c: { default: 0 } }),
  ],
  ['nested objects and arrays', object({ a: { type: 'array', items: object({ b: {} }) } })],
  ['lengths', object({ a: { type: 'string', minLength: 9 }, b: { type: 'string', maxLength: 2 } })],
  ['item counts', object({ a: { type: 'array', minItems: 3 }, b: { type: 'array', maxItems: 0 } })],
  ['tuples', object({ a: { type: 'array', prefixItems: [{ const: 1 }, { type: 'null' }] } })],
  ['bounds', object({ a: { type: 'integer', minimum: 5 }, b: { type: 'number', maximum: -2.5 } })],
  ['open bounds', object({ a: { type: 'number', exclusiveMinimum: 1, exclusiveMaximum: 1.5 } })],
  ['an open whole bound', object({ a: { type: 'integer', exclusiveMinimum: 10 } })],
  ['multiples', object({ a: { type: 'integer', minimum: 11, multipleOf: 5 } })],
  ['nullable types', object({ a: { type: ['null', 'string'] }, b: { type: ['integer', 'null'] } })],
  ['formats', object({ a: { type: 'string', format: 'date-time' }, b: { format: 'uuid' } })],
  ['every format that is known', object(everyFormat())],
  [
    'anyOf and oneOf',
    object({ a: { anyOf: [{ type: 'null' }, { const: 1 }] }, b: discriminated() }),
  ],
  ['allOf', { allOf: [object({ a: { const: 1 } }), object({ b: { type: 'string' } })] }],
  ['a branch that only demands members', { ...object({ a: {} }), anyOf: [{ required: ['z'] }] }],
  ['references', { ...object({ a: { $ref: '#/$defs/x~1y' } }), $defs: { 'x/y': { const: 4 } } }],
  ['a recursive definition', { $ref: '#/$defs/node', $defs: { node } }],
  ['recursion to the root', object({ a: { type: 'array', items: { $ref: '#' } } })],
  [
    'member names that are special',
    JSON.parse('{"required":["__proto__","constructor"]}') as object,
  ],
];

describe('instanceOf', () => {
  it.each(valid)('fits %s', (_name, schema) => {
    const made = instanceOf(schema);
    expect(ajv.validate(schema, made) ? [] : [made, ajv.errors]).toEqual([]);
  });

  it('makes every member, always the same', () => {
    const schema = {
      ...object({ city: { type: 'string' }, days: { type: 'integer' } }),
      required: [],
    };
    expect(instanceOf(schema)).toEqual({ city: 'text', days: 1 });
    expect(instanceOf(schema)).toEqual(instanceOf(schema));
  });

  it.each<[string, unknown]>([
    ['no schema', undefined],
    ['a schema that is no object', [1]],
    ['keywords of the wrong kind', { type: 'object', properties: [], required: 'a', enum: {} }],
    ['a reference to itself', { $ref: '#' }],
    ['a reference to nowhere', { $ref: 'https://example.com/schema' }],
    ['references that double', { $ref: '#/d', d: { allOf: [{ $ref: '#/d' }, { $ref: '#/d' }] } }],
    ['trees without an end', { ...object({ a: { $ref: '#' }, b: { $ref: '#' } }) }],
    ['arrays of arrays', { type: 'array', minItems: 1e9, items: { $ref: '#' } }],
    ['a text of any length', { type: 'string', minLength: 1e12 }],
    ['numbers out of reach', { type: 'number', minimum: Infinity, multipleOf: 1e-300 }],
    ['a constant used often', often({ const: 'x'.repeat(100_000) })],
    ['many members', object(Object.fromEntries(range(200_000).map((at) => [`m${at}`, {}])))],
    ['many demands', often({ type: 'object', required: range(200_000).map(() => 'a') })],
    ['many branches', often({ anyOf: range(200_000).map(() => ({ type: 'null' })) })],
    ['many types', often({ type: range(200_000).map(() => 'null') })],
    [
      'merges of many members',
      often({ allOf: [{ properties: { a: {} } }], properties: large(), type: 'string' }),
    ],
    ['a long reference', often({ $ref: `#${'/a'.repeat(200_000)}` })],
    ['a reference of very many steps', { $ref: `#${'/'.repeat(300_000_000)}` }],
  ])('is done soon with %s', async (_name, schema) => {
    let made = '';
    const ms = await workedMs(() => {
      made = JSON.stringify(instanceOf(schema));
    });
    expect(ms).toBeLessThan(10_000);
    expect(made.length).toBeLessThan(50_000);
  });

  it('does not copy many members again at each step of a reference to itself', () => {
    let looks = 0;
    const watched: object = new Proxy(
      { $ref: '#', ...large() },
      {
        get: (schema, name) => {
          looks += 1;
          return Reflect.get(schema, name);
        },
      },
    );
    expect(instanceOf(watched)).toBe('text');
    expect(looks).toBeLessThan(1_000);
  });
});

function object(properties: object) {
  return { type: 'object', properties, required: Object.keys(properties) };
}

/** The same schema met again and again. */
function often(schema: object) {
  return {
    type: 'array',
    minItems: 32,
    items: { $ref: '#/$defs/row' },
    $defs: { row: row(schema) },
  };
}

function row(schema: object) {
  return { type: 'array', minItems: 32, items: schema };
}

function range(length: number): number[] {
  return Array.from({ length }, (_, at) => at);
}

function large(): object {
  return Object.fromEntries(range(100_000).map((at) => [`m${at}`, {}]));
}

function discriminated(): object {
  return { oneOf: [object({ kind: { const: 'a' } }), object({ kind: { const: 'b' } })] };
}

function everyFormat(): object {
  const known = 'date-time date time duration email hostname ipv4 ipv6 uri uuid'.split(' ');
  return Object.fromEntries(known.map((format) => [format, { type: 'string', format }]));
}
