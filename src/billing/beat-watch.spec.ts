import { describe, expect, it } from '@jest/globals';
import { BeatWatch } from './beat-watch.js';

const beats = (entries: Record<string, number>) => new Map(Object.entries(entries));

describe('BeatWatch', () => {
  it('finds a process dead whose beat has stood still for long enough, and no other', () => {
    const watch = new BeatWatch(20, 5);
    const dead = Array.from({ length: 6 }, (_, index) =>
      watch.look(beats({ still: 7, beating: index }), index * 5),
    );
    expect(dead).toEqual([[], [], [], [], ['still'], ['still']]);
  });

  it('begins again when the beat goes on', () => {
    const watch = new BeatWatch(10, 5);
    for (const now of [0, 5]) watch.look(beats({ one: 1 }), now);
    expect(watch.look(beats({ one: 2 }), 10)).toEqual([]);
    expect(watch.look(beats({ one: 2 }), 15)).toEqual([]);
    expect(watch.look(beats({ one: 2 }), 20)).toEqual(['one']);
  });

  it('takes nobody for dead because it could not look for an hour', () => {
    const watch = new BeatWatch(60, 5);
    watch.look(beats({ one: 1 }), 0);
    watch.look(beats({ one: 1 }), 5);
    expect(watch.look(beats({ one: 1 }), 3_600_000)).toEqual([]);
  });

  it('forgets a process that has left', () => {
    const watch = new BeatWatch(5, 5);
    watch.look(beats({ one: 1 }), 0);
    watch.look(beats({}), 5);
    expect(watch.look(beats({ one: 1 }), 10)).toEqual([]);
  });
});
