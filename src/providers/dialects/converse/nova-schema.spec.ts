import { expect, it } from '@jest/globals';
import { z } from 'zod';
import { NovaSchemas } from './nova-schema.js';

const novaSchema = (schema: unknown) => new NovaSchemas().of(schema);

const text = { type: 'string' };

it('says on top what Nova takes and no more', () => {
  const schema = z.toJSONSchema(z.object({ a: z.string(), b: z.number().optional() }));
  expect(schema).toMatchObject({ $schema: expect.anything(), additionalProperties: false });
  expect(novaSchema(schema)).toEqual({
    type: 'object',
    properties: { a: text, b: { type: 'number' } },
    required: ['a'],
  });
});

it.each([[undefined], [null], [{}], [{ type: 'object' }], [{ anyOf: [text] }]])(
  'makes an object of %j',
  (schema) => {
    expect(novaSchema(schema)).toEqual({ type: 'object', properties: {} });
  },
);

it('has the arguments of all alternatives', () => {
  const oneOf = [{ properties: { a: text }, required: ['a'] }, { $ref: '#/$defs/B' }];
  const $defs = { B: { properties: { a: text, b: { $ref: '#/$defs/C' } } }, C: text };
  expect(novaSchema({ oneOf, $defs })).toEqual({
    type: 'object',
    properties: { a: text, b: text },
  });
});

it('leaves what is deeper as it is', () => {
  const properties = {
    a: { type: 'object', properties: { $ref: text }, additionalProperties: false },
  };
  expect(novaSchema({ properties, title: 'T' })).toEqual({ type: 'object', properties });
});

it.each(['$defs', 'definitions'])('puts what %s define into its places', (field) => {
  const ref = (name: string, more = {}) => ({ $ref: `#/${field}/${name}`, ...more });
  const schema = {
    ...ref('root'),
    [field]: {
      root: { type: 'object', properties: { a: ref('a~1b', { description: 'D' }) } },
      'a/b': { type: 'array', items: ref('c') },
      c: text,
    },
  };
  const a = { type: 'array', items: text, description: 'D' };
  expect(novaSchema(schema)).toEqual({ type: 'object', properties: { a } });
});

it('leaves a reference to something else', () => {
  const properties = { a: { $ref: '#/properties/b' }, b: text, c: { $ref: '#/$defs/gone' } };
  expect(novaSchema({ properties })).toEqual({ type: 'object', properties });
});

it('ends a definition that has itself in it', () => {
  const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' } } };
  expect(novaSchema({ properties: { node: { $ref: '#/$defs/node' } }, $defs: { node } })).toEqual({
    type: 'object',
    properties: { node: { type: 'object', properties: { next: {} } } },
  });
});

it.each([
  ['by definitions that name two each', { type: 'object' }],
  ['by one that is long', { description: 'x'.repeat(10_000) }],
])('does not grow without bounds %s', (_, last) => {
  const twice = (name: string) => {
    const ref = { $ref: `#/$defs/${name}` };
    return { anyOf: [ref, ref] };
  };
  const names = Array.from({ length: 15 }, (_one, at): [string, object] => [
    `d${at}`,
    twice(`d${at + 1}`),
  ]);
  const schema = {
    properties: { a: twice('d0') },
    $defs: Object.fromEntries([...names, ['d15', last]]),
  };
  const schemas = new NovaSchemas();
  const tools = Array.from({ length: 100 }, () => schemas.of(schema));
  expect(JSON.stringify(tools).length).toBeLessThan(1_500_000);
});

it('does not go deeper than can be written', () => {
  const deep = (name: string) =>
    Array.from({ length: 50 }).reduce<object>((items) => ({ items }), { $ref: `#/$defs/${name}` });
  const $defs = Object.fromEntries(
    Array.from({ length: 2000 }, (_, at) => [`d${at}`, deep(`d${at + 1}`)]),
  );
  expect(() => JSON.stringify(novaSchema({ properties: { a: deep('d0') }, $defs }))).not.toThrow();
});
