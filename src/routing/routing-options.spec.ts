import { describe, expect, it } from '@jest/globals';
import { routingOptionsOf } from './routing-options.js';

describe('routingOptionsOf', () => {
  it.each([
    [undefined, undefined, true],
    [null, undefined, true],
    [{}, undefined, true],
    [{ quality_cost: null, sticky: null }, undefined, true],
    [{ quality_cost: 0, sticky: false }, 0, false],
    [{ quality_cost: '7.5', sticky: 'off' }, 7.5, false],
    [{ quality_cost: ' +3 ', sticky: 'T' }, 3, true],
    [{ quality_cost: '1_0', sticky: 0 }, 10, false],
    [{ quality_cost: true, sticky: 1 }, 1, true],
  ])('reads %j', (routing, dial, sticky) => {
    expect(routingOptionsOf({ routing })).toEqual({ dial, sticky });
  });
});
