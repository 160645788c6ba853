import { describe, expect, it } from '@jest/globals';
import { withoutUnion } from './merged-schema.js';

const text = { type: 'string' };
const whole = { type: 'integer' };
const object = (properties: object, ...required: string[]) => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
});
const said = (kind: string, schemas: object) => `{${kind}: ${JSON.stringify(schemas)}}`;

describe('a schema with alternatives on top', () => {
  it('has them in its description where they only say what is required', () => {
    const anyOf = [{ required: ['a'] }, { required: ['b'] }];
    expect(withoutUnion({ ...object({ a: text, b: text }), description: 'Finds', anyOf })).toEqual({
      ...object({ a: text, b: text }),
      description: `Finds\n\n${said('anyOf', anyOf)}`,
    });
  });

  it('has the arguments of each, and wants those that all want', () => {
    const oneOf = [object({ id: text, at: whole }, 'id', 'at'), object({ id: whole }, 'id')];
    expect(withoutUnion({ oneOf })).toEqual({
      ...object({ id: { anyOf: [text, whole] }, at: whole }, 'id'),
      description: said('oneOf', oneOf),
    });
  });

  it('wants what any part of it wants', () => {
    const allOf = [object({ a: text }, 'a'), { $ref: '#/$defs/B' }];
    const $defs = { B: object({ a: text, b: whole }, 'b') };
    expect(withoutUnion({ ...object({ c: text }, 'c'), allOf, $defs })).toEqual({
      ...object({ a: text, b: whole, c: text }, 'c', 'a', 'b'),
      $defs,
      description: said('allOf', allOf),
    });
  });

  it('has the alternatives inside of one too', () => {
    const anyOf = [{ oneOf: [object({ a: text }, 'a'), object({ b: text })] }, object({ c: text })];
    expect(withoutUnion({ anyOf })).toMatchObject(object({ a: text, b: text, c: text }));
  });

  it.each([
    [object({ a: { anyOf: [text, whole] } })],
    [{ anyOf: [object({ a: text }), text] }],
    [{ anyOf: [{ $ref: '#/$defs/A' }], $defs: { A: { anyOf: [{ $ref: '#/$defs/A' }] } } }],
    [{ anyOf: [{ $ref: 'https://example.com/a' }] }],
    [{ anyOf: [null] }],
    [{ anyOf: [] }],
    [{ type: ['object', 'null'], anyOf: [object({})] }],
    [null],
  ])('stays as it is where it has none, or none that can be merged: %j', (schema) => {
    expect(withoutUnion(schema)).toBe(schema);
  });
});
