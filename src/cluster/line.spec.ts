import { describe, expect, it } from '@jest/globals';
import { Line } from './line.js';

/** Two ends of a pipe, through which messages go as JSON. */
function pipe(failed: (name: string, error: unknown) => void = () => undefined): [Line, Line] {
  const carry = (to: () => Line) => (message: object) => {
    const text = JSON.stringify(message);
    setImmediate(() => {
      to().receive(JSON.parse(text));
    });
  };
  const end = (at: 0 | 1): Line =>
    new Line(
      carry(() => ends[at]),
      failed,
    );
  const ends: [Line, Line] = [end(1), end(0)];
  return ends;
}

describe('Line', () => {
  it('brings every question its own answer, in whatever order they come', async () => {
    const [one, other] = pipe();
    other.on('double', async (number) => {
      await new Promise((later) => setTimeout(later, 10 / Number(number)));
      return 2 * Number(number);
    });
    const answers = [1, 2, 3].map((number) => one.ask('double', number, 1_000));
    expect(await Promise.all(answers)).toEqual([2, 4, 6]);
  });

  it('asks in both directions at once', async () => {
    const [one, other] = pipe();
    one.on('who', () => 'one');
    other.on('who', () => 'other');
    const asked = [one.ask('who', null, 1_000), other.ask('who', null, 1_000)];
    expect(await Promise.all(asked)).toEqual(['other', 'one']);
  });

  it('gives up a question that nobody answers, and ignores the answer that comes later', async () => {
    const [one, other] = pipe();
    other.on('slow', () => new Promise((answer) => setTimeout(answer, 60, 'late')));
    expect(await one.ask('slow', null, 20)).toBeUndefined();
    expect(await one.ask('unknown', null, 20)).toBeUndefined();
    await new Promise((later) => setTimeout(later, 60));
    other.on('slow', () => 'in time');
    expect(await one.ask('slow', null, 1_000)).toBe('in time');
  });

  it('keeps the order of what is told and asked', async () => {
    const [one, other] = pipe();
    const heard: unknown[] = [];
    other.on('note', (what) => heard.push(what));
    one.tell('note', 1);
    one.tell('note', 2);
    expect(await one.ask('note', 3, 1_000)).toBe(3);
    expect(heard).toEqual([1, 2, 3]);
  });

  it('answers undefined at once where a listener throws, and tells of it', async () => {
    const failures: string[] = [];
    const [one, other] = pipe((name, error) => failures.push(`${name}: ${String(error)}`));
    other.on('soon', () => {
      throw new Error('no');
    });
    other.on('late', () => Promise.reject(new Error('never')));
    one.tell('soon');
    expect(await one.ask('soon', null, 60_000)).toBeUndefined();
    expect(await one.ask('late', null, 60_000)).toBeUndefined();
    expect(failures).toEqual(['soon: Error: no', 'soon: Error: no', 'late: Error: never']);
  });

  it('leaves messages alone that are not its own', () => {
    const heard: unknown[] = [];
    const [one] = pipe((name) => heard.push(name));
    one.on('text', (content) => heard.push(content));
    for (const message of [undefined, null, 'text', { name: 'text', content: 'NODE_CLUSTER' }])
      one.receive(message);
    expect(heard).toEqual([]);
  });
});
