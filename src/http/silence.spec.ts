import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { type IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { whenSilent } from './silence.js';

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] }));
afterEach(() => void jest.useRealTimers());

it('tells of half a minute without a byte, and of nothing once it has ended', async () => {
  const body = new PassThrough();
  const silent = jest.fn();
  const unwatch = whenSilent(body as unknown as IncomingMessage, silent);
  jest.advanceTimersByTime(29_000);
  body.write('x');
  await new Promise((resolve) => void setImmediate(resolve));
  jest.advanceTimersByTime(29_000);
  expect(silent).not.toHaveBeenCalled();
  jest.advanceTimersByTime(1_000);
  expect(silent).toHaveBeenCalledTimes(1);
  unwatch();
  expect([body.listenerCount('data'), jest.getTimerCount()]).toEqual([0, 0]);
});
