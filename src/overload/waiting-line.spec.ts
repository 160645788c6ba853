import { describe, expect, it } from '@jest/globals';
import { WaitingLine } from './waiting-line.js';

describe('WaitingLine', () => {
  const lineOf = (...names: string[]) => {
    const line = new WaitingLine();
    const ended: string[] = [];
    const leave = names.map((name, at) =>
      line.join(name, (mayBegin) => ended.push(mayBegin ? name : `not ${name}`), at * 100),
    );
    return { line, ended, leave };
  };

  it('lets who came first begin first, and forgets who has left', () => {
    const { line, ended, leave } = lineOf('a', 'b', 'c', 'd');
    leave[1]?.();
    let room = 2;
    line.letIn(() => room-- > 0);
    expect(ended).toEqual(['a', 'c']);
    expect(line.length).toBe(1);
  });

  it('does not keep who may begin behind who may not', () => {
    const { line, ended } = lineOf('a', 'b', 'a', 'b');
    line.letIn((account) => account === 'b');
    expect(ended).toEqual(['b', 'b']);
    expect(line.length).toBe(2);
  });

  it('sends away who has waited for too long', () => {
    const { line, ended } = lineOf('a', 'b', 'c');
    line.sendAway(1_000, 1_100);
    expect(ended).toEqual(['not a', 'not b']);
    expect(line.length).toBe(1);
  });
});
