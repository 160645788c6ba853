import { describe, expect, it } from '@jest/globals';
import { NO_BOUNDS } from './bounds.js';
import { countedParts, countingSteps, excess } from './excess.js';

describe('countingSteps', () => {
  it.each([
    ['elements', `[${'1,'.repeat(200_000)}`],
    ['escaped quotes', `["${'\\"'.repeat(200_000)}`],
    ['strings', `[${'"a",'.repeat(100_000)}`],
  ])('looks at many %s in steps', (_, text) => {
    const steps = countingSteps(Buffer.from(text), NO_BOUNDS);
    let count = 0;
    for (let step = steps.next(); !step.done; step = steps.next()) count += 1;
    expect(count).toBeGreaterThanOrEqual(5);
  });

  it('counts objects, arrays, members and texts in arrays', () => {
    expect(countedParts(Buffer.from('{"a":[{},{"b":"[{:"}]}'), NO_BOUNDS)).toBe(6);
    expect(countedParts(Buffer.from('{"a":["b","c",[1,"d"],{"e":"f"},2]}'), NO_BOUNDS)).toBe(9);
  });

  it('counts nothing inside of strings', () => {
    const bounds = { ...NO_BOUNDS, parts: 3, members: 1 };
    expect(excess(Buffer.from('{"a\\":{[":["]]]"]}'), { ...bounds, parts: 4 })).toBeUndefined();
    expect(excess(Buffer.from('{"a":[{}]}'), bounds)).toBe('parts');
    expect(excess(Buffer.from('{"a":1,"b":2}'), bounds)).toBe('members');
    expect(excess(Buffer.from('[[[]]]'), { ...NO_BOUNDS, depth: 2 })).toBe('depth');
  });
});
