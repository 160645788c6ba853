import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { nestsAtMost } from './excess.js';
import { scanArray, scanObject } from './scan.js';
import { appendMembers, keepMembers, spliceObject } from './splice.js';
import { written } from './written.js';

const splice = (text: string, edits: Record<string, string | undefined>) => {
  const pieces = spliceObject(Buffer.from(text), new Map(Object.entries(edits)));
  return pieces && Buffer.concat(pieces).toString();
};

describe('spliceObject', () => {
  it('changes, removes and adds members and leaves every other byte alone', () => {
    const text = '{ "a" : 12345678901234567890 , "model":"x/y","gone":[1,{"b":"]}"}], "z":1.0 }';
    expect(splice(text, { model: '"y"', gone: undefined, added: '1' })).toBe(
      '{"a" : 12345678901234567890,"model":"y","z":1.0,"added":1}',
    );
  });

  it('keeps only the last of two members with one key', () => {
    expect(splice('{"model":"a","x":1,"mod\\u0065l":"b"}', {})).toBe('{"x":1,"mod\\u0065l":"b"}');
  });

  it('gives up on an object with more members than any answer has', () => {
    const members = (count: number) => Array.from({ length: count }, (_, at) => `"${at}":0`).join();
    expect(scanObject(Buffer.from(`{${members(100_000)}}`))).toHaveLength(100_000);
    expect(scanObject(Buffer.from(`{${members(100_001)}}`))).toBeUndefined();
  });

  it('handles an empty object and edits that come to nothing', () => {
    expect(splice('{}', { a: undefined })).toBe('{}');
    expect(splice(' {"a":1} ', { a: undefined })).toBe('{}');
    expect(splice('{}', { a: '1' })).toBe('{"a":1}');
  });

  it.each(['', '[1]', '{"a"}', '{"a":1', '{"a":"x}', '{"a":[1,2}', '{"a":1,,}'])(
    'refuses %j',
    (text) => {
      expect(splice(text, { b: '1' })).toBeUndefined();
    },
  );

  it('gives what a parser would give, for any object', () => {
    const key = fc.oneof(
      fc.constantFrom('__proto__', 'a"b', '\\', 'é', 'constructor'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.dictionary(key, fc.jsonValue()), fc.jsonValue(), (object, value) => {
        const want = new Map(Object.entries(object)).set('model', value);
        const got = splice(JSON.stringify(object, null, 1), { model: JSON.stringify(value) });
        expect(new Map(Object.entries(JSON.parse(got ?? '') as object))).toEqual(
          new Map(Object.entries(JSON.parse(JSON.stringify(Object.fromEntries(want))) as object)),
        );
      }),
    );
  });
});

describe('a text whose members are known', () => {
  it('is not scanned again', () => {
    const text = Buffer.from('{"a":1,"b":2}');
    keepMembers(text, scanObject(text) ?? []);
    // A scan would find no object any more.
    text.fill('x', 0, 1);
    const pieces = spliceObject(text, new Map([['b', '3']])) ?? [];
    expect(Buffer.concat(pieces).toString()).toBe('{"a":1,"b":3}');
  });
});

describe('appendMembers', () => {
  it('puts members behind those of an object, in however many pieces its text comes', async () => {
    const added = new Map([
      ['cost', '0.1'],
      ['left', undefined],
      ['"', '{"b":2}'],
    ]);
    const long = { a: [], text: 'x'.repeat(200_000), last: { c: '}' } };
    // One of them ends just where a piece does.
    const sized = Array.from({ length: 600 }, (_, at) => ({
      data: ['a'.repeat(100), 'c'.repeat(65_000 + at)],
      x: Array.from({ length: 50 }, () => null),
    }));
    for (const value of [{ a: 1 }, long, ...sized]) {
      const pieces = appendMembers(await written(value), added);
      const all = JSON.parse(Buffer.concat(pieces).toString()) as object;
      expect(all).toEqual({ ...value, cost: 0.1, '"': { b: 2 } });
    }
  });
});

describe('scanning', () => {
  it('finds members and elements, number arrays and mixed arrays alike', () => {
    const text = Buffer.from('{"data":[[1,-2],[3,"]"],[4,[5]]],"usage":{"n":1}}');
    const members = scanObject(text) ?? [];
    expect(members.map((member) => member.key)).toEqual(['data', 'usage']);
    const elements = scanArray(text, members[0]!.valueStart) ?? [];
    expect(elements.map(({ start, end }) => text.toString('utf8', start, end))).toEqual([
      '[1,-2]',
      '[3,"]"]',
      '[4,[5]]',
    ]);
  });

  it('passes over what nests deep, quickly where its arrays begin with numbers', () => {
    const deep = '{"a":[1,'.repeat(100_000) + '2' + ']}'.repeat(100_000);
    expect(splice(`{"x":${deep},"y":1}`, { x: undefined })).toBe('{"y":1}');
    expect(splice(`{"x":${deep.slice(0, -1)},"y":1}`, { x: undefined })).toBeUndefined();
  });

  it('judges nesting without being fooled by strings', () => {
    expect(nestsAtMost(Buffer.from('[[["[[[[["]]]'), 3)).toBe(true);
    expect(nestsAtMost(Buffer.from('[[[[1]]]]'), 3)).toBe(false);
    expect(nestsAtMost(Buffer.from('['.repeat(100_000)), 64)).toBe(false);
  });
});
