import { describe, expect, it } from '@jest/globals';
import { WaitingLine } from './waiting-line.js';

describe('WaitingLine', () => {
  it('lets who came first begin first, and forgets who has left', () => {
    const line = new WaitingLine();
    const begun: string[] = [];
    const [, leave] = ['a', 'b', 'c'].map((name) => line.join(() => begun.push(name)));
    leave?.();
    expect(line.length).toBe(2);
    for (let turn = 0; turn < 3; turn++) line.next();
    expect(begun).toEqual(['a', 'c']);
    expect(line.length).toBe(0);
  });
});
