import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type Config } from '../config/config.js';
import { Exploration } from './exploration.js';

interface Ranked {
  readonly model: string;
  readonly failing?: true;
}

const failing = (model: string): Ranked => ({ model, failing: true });

describe('Exploration', () => {
  const exploration = new Exploration({ routerExploration: 0.02 } as Config);
  /** Who begins, when chance says so. */
  const first = (ranking: readonly Ranked[], ...chances: number[]) => {
    const random = jest.spyOn(Math, 'random');
    for (const chance of chances) random.mockReturnValueOnce(chance);
    return exploration.order(ranking)[0];
  };
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('lets the second or the third begin, in so many cases', () => {
    const ranking = ['a', 'b', 'c', 'd'].map((model) => ({ model }));
    expect(first(ranking, 0.021)).toBe(ranking[0]);
    expect(first(ranking, 0.01, 0)).toBe(ranking[1]);
    expect(first(ranking, 0.01, 0.99)).toBe(ranking[2]);
  });

  it('lets none begin that fails, which a caller would wait for', () => {
    const ranking = [{ model: 'a' }, { model: 'b' }, failing('c')];
    expect(first(ranking, 0.01, 0.99)).toBe(ranking[1]);
    const alone = [{ model: 'a' }, failing('b'), failing('c')];
    expect(first(alone, 0.01, 0.99)).toBe(alone[0]);
    const all = [failing('a'), failing('b')];
    expect(first(all, 0.01, 0.99)).toBe(all[0]);
  });
});
