import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { setTimeout as delay } from 'node:timers/promises';
import { written } from './written.js';

class Part {
  constructor(readonly name: string) {}
}

const isPart = (value: object): value is Part => value instanceof Part;

async function textOf(value: object): Promise<string> {
  const pieces = await written(value, isPart);
  return pieces.map((piece) => (isPart(piece) ? piece.name : piece.toString())).join('');
}

/** Around the length at which a text is cut, with what must not be cut through at every place. */
const longText = fc
  .tuple(fc.nat({ max: 20 }), fc.constantFrom('a', 'ö', '\u{1f600}', '"', '\n', '\ud83d', '\ude00'))
  .map(([before, unit]) => 'x'.repeat(before) + unit.repeat(100_000));

const large = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, 0, -1.5e300, 'ö"', undefined),
    fc.constant('short'.repeat(3_000)),
    longText,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 5 }),
  ),
})).value;

describe('JSON that is written in steps', () => {
  it('is what JSON.stringify makes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(large), async (value) => {
        expect(await textOf(value)).toBe(JSON.stringify(value));
      }),
    );
  });

  it('holds parts between quotes', async () => {
    const value = { a: new Part('one'), b: [1, { c: new Part('two') }], d: undefined, e: {} };
    expect(await textOf(value)).toBe('{"a":"one","b":[1,{"c":"two"}],"e":{}}');
  });

  it.each([3_000, 100_000])('may nest %i levels deep', async (depth) => {
    const text = '{"a":'.repeat(depth) + '["b"]' + '}'.repeat(depth);
    expect(await textOf(JSON.parse(text) as object)).toBe(text);
  });

  it('is there at once when it is short', () => {
    expect(written({ a: 1 })).toEqual([Buffer.from('{"a":1}')]);
  });

  it('lists the many members of an object no oftener where it stands deep', async () => {
    let times = 0;
    const members = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`${index}`, 1]),
    );
    const counting = new Proxy(members, {
      ownKeys: (target) => {
        times += 1;
        return Reflect.ownKeys(target);
      },
    });
    expect(await textOf({ a: [{ b: { c: [counting] } }] })).toContain('"9999":1');
    expect(times).toBe(2);
  });

  it('lets the event loop come round while it is made', async () => {
    const value = { text: 'x'.repeat(64 * 1024 * 1024) };
    let rounds = 0;
    let isOver = false;
    const others = (async () => {
      for (; !isOver; rounds++) await delay(0);
    })();
    await written(value);
    isOver = true;
    await others;
    expect(rounds).toBeGreaterThan(2);
  });
});
