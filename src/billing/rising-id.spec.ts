import { describe, expect, it, jest } from '@jest/globals';
import { risingId } from './rising-id.js';

describe('risingId', () => {
  it('rises, also ten thousand times in one millisecond and when the clock is set back', () => {
    const now = jest.spyOn(Date, 'now').mockReturnValue(1_763_650_000_123);
    const ids = Array.from({ length: 10_000 }, risingId);
    now.mockReturnValue(1_763_640_000_000);
    ids.push(risingId());
    now.mockRestore();
    ids.push(risingId());
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !UUID.test(id))).toEqual([]);
  });
});

const UUID = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
