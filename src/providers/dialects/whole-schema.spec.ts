import { describe, expect, it } from '@jest/globals';
import { wholeTools, withItems } from './whole-schema.js';

describe('withItems', () => {
  it('says of arrays at every place that anything is in them', () => {
    const bare = { type: 'array' };
    const whole = { type: 'array', items: {} };
    const schema = (list: object) => ({
      type: 'object',
      properties: { list, type: { type: 'string' }, deep: { anyOf: [list, { type: 'null' }] } },
      additionalProperties: list,
      $defs: { rows: { ...list, items: list } },
    });
    expect(withItems(schema(bare))).toEqual(schema(whole));
    expect(withItems({ type: ['array', 'null'] })).toEqual({ type: ['array', 'null'], items: {} });
  });

  it.each([
    { type: 'object', properties: { items: { type: 'string' }, list: { items: true } } },
    { type: 'array', items: { type: 'string' } },
    { enum: [{ type: 'array' }], default: { type: 'array' }, const: { type: 'array' } },
    { properties: null, items: 7, $defs: [] },
    true,
  ])('is the same where nothing is missing: %j', (schema) => {
    expect(withItems(schema)).toBe(schema);
  });
});

describe('wholeTools', () => {
  const parameters = { type: 'object' };
  const whole = { type: 'object', properties: {} };

  it('completes functions of chats and of Responses alone', () => {
    const custom = { type: 'custom', name: 'c', parameters };
    const tools = [
      { type: 'function', function: { name: 'f', parameters } },
      { type: 'function', name: 'f', parameters },
      custom,
      null,
    ];
    expect(wholeTools(tools)).toEqual([
      { type: 'function', function: { name: 'f', parameters: whole } },
      { type: 'function', name: 'f', parameters: whole },
      custom,
      null,
    ]);
  });

  it.each([undefined, 'x', [{ type: 'function', function: { name: 'f' } }], [{ name: 'f' }]])(
    'leaves everything else as it is: %j',
    (tools) => {
      expect(wholeTools(tools)).toBe(tools);
    },
  );
});
