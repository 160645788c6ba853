import { expect, it } from '@jest/globals';
import { fitsStrict } from './strict-schema.js';

const text = { type: 'string', minLength: 1 };
const closed = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

it.each<[string, unknown]>([
  ['an object', closed({ a: text })],
  ['one without properties', closed({})],
  ['objects in it', closed({ a: closed({ b: text }), c: { type: 'array', items: closed({}) } })],
  ['choices', closed({ a: { anyOf: [text, { type: 'null' }, closed({ b: text })] } })],
  ['definitions', { ...closed({ a: { $ref: '#/$defs/b' } }), $defs: { b: closed({ c: text }) } }],
])('takes %s', (_, schema) => {
  expect(fitsStrict(schema)).toBe(true);
});

it.each<[string, unknown]>([
  ['nothing', undefined],
  ['no object', { type: 'array', items: text }],
  ['a choice on top', { anyOf: [closed({ a: text })] }],
  ['an object that is open', { ...closed({ a: text }), additionalProperties: true }],
  ['one that does not say so', { type: 'object', properties: { a: text }, required: ['a'] }],
  ['a property that may be missing', closed({ a: text, b: text }, ['a'])],
  ['one deep inside', closed({ a: { type: 'array', items: closed({ b: text }, []) } })],
  ['one in a definition', { ...closed({}), $defs: { b: closed({ c: text }, []) } }],
  ['one in a choice', closed({ a: { anyOf: [closed({ b: text }, [])] } })],
  ['an object without a list of properties', closed({ a: { type: ['object', 'null'] } })],
  ['words that it does not know', closed({ a: { allOf: [text] } })],
])('does not take %s', (_, schema) => {
  expect(fitsStrict(schema)).toBe(false);
});
