import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type Caller } from '../contract/caller.js';
import { RefusalLog } from './refusal-log.js';

const caller = (keyId: string): Caller => ({ accountId: 'acc', keyId }) as Caller;

describe('RefusalLog', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it('writes a line a second for each key, and the last ones when the process stops', () => {
    jest.useFakeTimers();
    const lines: unknown[] = [];
    const spy = jest.spyOn(Logger.prototype, 'log').mockImplementation((line) => lines.push(line));
    const log = new RefusalLog();
    for (const key of ['a', 'b', 'a']) log.add(caller(key), 503);
    log.add(caller('b'), 429);
    jest.advanceTimersByTime(1_000);
    expect(lines).toMatchObject([
      { account: 'acc', key: 'a', calls: 2, status: 503, shed: 'load' },
      { account: 'acc', key: 'b', calls: 1, status: 503 },
      { account: 'acc', key: 'b', calls: 1, status: 429 },
    ]);
    log.add(caller('b'), 503);
    log.onApplicationShutdown();
    expect(lines.slice(3)).toMatchObject([{ key: 'b', calls: 1 }]);
    spy.mockRestore();
  });
});
