import { describe, expect, it } from '@jest/globals';
import { type Call } from './call.js';
import { hedged, OUTRUN, type Sides } from './hedge.js';

const context = { signal: new AbortController().signal };
const call = { context, cut: undefined, ends: context.signal } as unknown as Call;

/** Two sides, of which each answers when it is told to, and how each of them ended. */
function sides() {
  const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()] as const;
  const [one, two] = answers;
  const cuts: unknown[] = [];
  const bothBegun = Promise.withResolvers<undefined>();
  const side =
    (index: 0 | 1): Sides<string>['first'] =>
    (tried, work) => {
      tried.cut?.addEventListener('abort', () => {
        cuts[index] = tried.cut?.reason;
      });
      if (index === 1) bothBegun.resolve(undefined);
      return work({ ...tried, id: String(index) });
    };
  const work = ({ id }: Call) => answers[Number(id) as 0 | 1].promise;
  const second = Promise.withResolvers<Sides<string>['first'] | undefined>();
  const asked = Promise.withResolvers<undefined>();
  const begin = () =>
    hedged(call, 1, work, {
      first: side(0),
      second: () => {
        asked.resolve(undefined);
        return second.promise;
      },
    });
  return {
    one,
    two,
    cuts,
    begin,
    asked: asked.promise,
    begun: bothBegun.promise,
    allow: () => second.resolve(side(1)),
    second,
  };
}

describe('hedged', () => {
  it('takes one of two answers that come in the same moment, and cuts the other side', async () => {
    const { one, two, cuts, begin, asked, allow, begun } = sides();
    const answer = begin();
    await asked;
    allow();
    await begun;
    two.resolve('two');
    one.resolve('one');
    expect(await answer).toBe('two');
    expect(cuts).toEqual([OUTRUN]);
  });

  it('makes no second side when the first ends while that is being allowed', async () => {
    const { one, cuts, begin, asked, allow } = sides();
    const answer = begin();
    await asked;
    one.resolve('one');
    allow();
    expect(await answer).toBe('one');
    expect(cuts).toEqual([]);
  });

  it('waits for the first side where no second one is allowed', async () => {
    const { one, begin, asked, second } = sides();
    const answer = begin();
    await asked;
    second.resolve(undefined);
    one.resolve('one');
    expect(await answer).toBe('one');
  });

  it('fails as the first side did', async () => {
    const { one, two, begin, asked, allow, begun } = sides();
    const answer = begin();
    await asked;
    allow();
    await begun;
    one.reject(new Error('one'));
    two.reject(new Error('two'));
    await expect(answer).rejects.toThrow('one');
  });
});
