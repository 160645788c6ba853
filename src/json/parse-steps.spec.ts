import { describe, expect, it } from '@jest/globals';
import { NO_BOUNDS, REQUEST_BOUNDS } from './bounds.js';
import { parseSteps, type Parsed } from './parse-steps.js';
import { scanObject } from './scan.js';

function parsed(text: string | Buffer, step: number, bounds = REQUEST_BOUNDS): Parsed {
  const steps = parseSteps(Buffer.from(text), bounds, step);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Its own keys in their order, also those that `toEqual` passes over. */
function told(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(told);
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? 'minus 0' : value;
  return {
    entries: Reflect.ownKeys(value).map((key) => [key, told(Reflect.get(value, key))]),
    isPlain: Object.getPrototypeOf(value) === Object.prototype,
  };
}

function expected(text: string): unknown {
  try {
    return { value: told(JSON.parse(text)) };
  } catch {
    return undefined;
  }
}

function outcome(text: string, step: number): unknown {
  const result = parsed(text, step);
  if (!result || !('value' in result)) return result;
  // A scan of its own finds the same members.
  const isObject = text.trimStart().startsWith('{');
  const members = isObject ? scanObject(Buffer.from(text)) : undefined;
  return { value: told(result.value), ...(!isSame(result.members, members) && { members }) };
}

const LONG = 'x'.repeat(20);
const TEXTS = [
  '{"a":1,"b":[1,2,{"c":null}],"d":"e"}',
  ' { "a" : [ 1 , 2 , 3 ] , "b" : { } , "c" : [ ] } ',
  `{"a":"${LONG}","b":["${LONG}","${LONG}"],"${LONG}":"${LONG}"}`,
  `"${LONG}"`,
  `[[["${LONG}"],"${LONG}",1],{"a":{"b":"${LONG}"}}]`,
  '{"a":1,"a":2,"b":3,"a":[1,2,3,4,5,6,7]}',
  `{"a":{"b":[1,2,3,4,5,6,7,8]},"a":1,"c":"${LONG}","c":{}}`,
  `{"__proto__":{"a":[1,2,3,4,5,6]},"__proto__":"${LONG}","constructor":1,"2":0,"1":[1,2,3,4,5]}`,
  '[-0,0,1e5,1E+5,1.50,12345678901234567890,-1e-7,1e999,-1e999,0.1]',
  '["\\"\\\\","\\\\\\\\\\"","\\u00e9\\ud83d\\ude00\\n\\t","é😀€ é😀€ é😀€ é😀€","\\/"]',
  `["${'\\n'.repeat(12)}","${'\\\\'.repeat(12)}","${'\\ud83d\\ude00'.repeat(10)}","${'é😀\\u00e9\\"'.repeat(10)}"]`,
  `["${LONG}\\n${LONG}","${LONG}é${LONG}${LONG}","${LONG}${LONG}\\u00e9","${LONG}${LONG}"]`,
  '[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,[1,2,3,4,5,6,7,8],{"a":[{"b":[{"c":1,"d":2}]}]},16,17,18]',
  `${'['.repeat(20)}1,2,3${']'.repeat(20)}`,
  '[true,false,null,[],{},[[]],[{}],"",{"":""}]',
  '1',
  'null',
  '\n[\t1\r, 2 ]\n',
];

/** Small faults that a text may have anywhere. */
const FAULTS = [
  ',',
  '"',
  '[',
  ']',
  '{',
  '}',
  ':',
  '\\',
  '1',
  '\n',
  '\u00a0',
  'null',
  '\u0001',
  ' ',
];

describe('parseSteps', () => {
  const steps = [1, 5, 16, 1_000];

  it.each(TEXTS)('makes of %j what JSON.parse does', (text) => {
    for (const step of steps) expect(outcome(text, step)).toEqual(expected(text));
  });

  it('takes what JSON.parse takes, and nothing else, of texts with one fault', () => {
    const wrong: unknown[] = [];
    let refused = 0;
    for (const text of TEXTS) {
      for (let at = 0; at <= text.length; at++) {
        const [before, after] = [text.slice(0, at), text.slice(at)];
        const changed = [
          before,
          before + after.slice(1),
          ...FAULTS.flatMap((fault) => [before + fault + after, before + fault + after.slice(1)]),
        ];
        for (const faulty of changed.filter((one) => one.isWellFormed())) {
          const right = expected(faulty);
          if (!right) refused += 1;
          const made = outcome(faulty, 5);
          if (!isSame(made, right)) wrong.push({ faulty, made, right });
        }
      }
    }
    expect(wrong.slice(0, 3)).toEqual([]);
    expect(refused).toBeGreaterThan(1_000);
  });

  it('makes many steps of a large text', () => {
    const text = JSON.stringify({
      images: [LONG.repeat(10_000), LONG.repeat(10_000)],
      lines: `${LONG}\n`.repeat(5_000),
      rows: Array.from({ length: 20_000 }, (_, index) => ({ index, name: `row ${index}` })),
      vector: Array.from({ length: 50_000 }, (_, index) => index / 7),
    });
    let count = 0;
    const work = parseSteps(Buffer.from(text), REQUEST_BOUNDS);
    let result = work.next();
    for (; !result.done; result = work.next()) count += 1;
    expect(result.value).toMatchObject({ value: JSON.parse(text) });
    expect(count).toBeGreaterThan(text.length / 100_000);
  });

  it.each([
    ['['.repeat(5), 'depth'],
    [`[[[1,2,3],[[{"a":"${LONG}"}]]]]`, 'depth'],
    ['[1,2,[3],[4],[5],[6],[7],[8],[9],[0],[1],[2]]', 'parts'],
    [`{"a":1,"b":2,"c":3,"d":"${LONG}","e":5,"f":6,"g":7,"h":8,"i":9,"j":0}`, 'parts'],
  ])('says what %j has too much of', (text, tooMuch) => {
    for (const step of steps) {
      expect(parsed(text, step, { ...NO_BOUNDS, depth: 4, parts: 10 })).toEqual({ tooMuch });
    }
  });

  it('tells as it goes how many objects, arrays, members and texts in arrays there have been', () => {
    const text = `[${'{"a":[]},"b",'.repeat(10_000)}{}]`;
    const told: number[] = [];
    const counted = (parts: number) => void told.push(parts);
    const work = parseSteps(Buffer.from(text), REQUEST_BOUNDS, 1_000, counted);
    while (!work.next().done);
    expect(told.length).toBeGreaterThan(10);
    expect(told).toEqual(told.toSorted((one, other) => one - other));
    expect(told.at(-1)).toBe(40_002);
  });

  it('counts the members of each object by themselves', () => {
    const text = `[{"a":1,"b":[{"c":2,"c":3,"d":"${LONG}"},{"d":4}],"e":5},{"f":6}]`;
    for (const step of steps) {
      const most = (members: number) => parsed(text, step, { ...NO_BOUNDS, members });
      expect(most(2)).toEqual({ tooMuch: 'members' });
      expect(most(3)).toMatchObject({ value: JSON.parse(text) });
    }
  });

  it('takes as much as it may have', () => {
    const text = `[[[[1]]],{"a":"[[[[{:"},{"b":1},"${LONG}"]`;
    for (const step of steps) {
      const bounds = { ...NO_BOUNDS, depth: 4, parts: 9 };
      expect(parsed(text, step, bounds)).toMatchObject({ value: JSON.parse(text) });
    }
  });
});

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
