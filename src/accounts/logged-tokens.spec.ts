import { expect, it } from '@jest/globals';
import { whenTokensAreLogged } from './logged-tokens.js';

it('hears of every token once, and leaves the log line as it is', () => {
  const log: Record<string, unknown> = { model: 'm' };
  let sum = 0;
  whenTokensAreLogged(log, (tokens) => {
    sum += tokens;
  });
  Object.assign(log, { inputTokens: 5, outputTokens: 7 });
  expect(sum).toBe(12);
  Object.assign(log, { inputTokens: 5, outputTokens: 9 });
  expect(sum).toBe(14);
  expect({ ...log }).toEqual({ model: 'm', inputTokens: 5, outputTokens: 9 });
});
