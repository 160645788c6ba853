import { afterAll, expect, it } from '@jest/globals';
import { TokenDecoder } from './token-decoder.js';

const decoder = new TokenDecoder();
afterAll(() => decoder.onApplicationShutdown());

/** The token of `!`. */
const MARK = 0;
const listOf = (tokens: number) => Array.from({ length: tokens }, () => MARK);

it('decodes one list of each account after the other', async () => {
  const done: string[] = [];
  const ask = async (account: string) => {
    await decoder.decode([[MARK]], account);
    done.push(account);
  };
  await Promise.all([...Array.from({ length: 20 }, () => ask('many')), ask('one')]);
  expect(done.indexOf('one')).toBeLessThan(3);
});

it('answers an account while too much of another one waits', async () => {
  const many = Array.from({ length: 200 }, () => decoder.decode([[MARK]], 'many'));
  const one = decoder.decode([[MARK]], 'one');
  const ended = await Promise.allSettled(many);
  expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(['fulfilled', 'rejected']));
  expect(await one).toEqual(['!']);
});

it('lets others have their turn within one request', async () => {
  const done: string[] = [];
  const ask = async (account: string, lists: number) => {
    const texts = await decoder.decode(
      Array.from({ length: lists }, () => listOf(8_192)),
      account,
    );
    done.push(account);
    expect(texts).toEqual(Array.from({ length: lists }, () => '!'.repeat(8_192)));
  };
  await Promise.all([ask('long', 64), ask('short', 1)]);
  expect(done).toEqual(['short', 'long']);
});

it.each([
  ['a number that is no token', [1e9]],
  ['a list that is longer than any text that a model reads', listOf(300_000)],
])('names the item with %s', async (_what, wrong) => {
  const inputs = [...Array.from({ length: 6 }, () => listOf(8_192)), wrong];
  await expect(decoder.decode(inputs)).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('item 6 '),
  });
});
