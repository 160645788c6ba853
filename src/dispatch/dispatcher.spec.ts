import { expect, it, jest } from '@jest/globals';
import { type RequestContext } from '../contract/caller.js';
import { GatewayError } from '../contract/gateway-error.js';
import { beginCall } from './call.js';
import { Dispatcher } from './dispatcher.js';
import { type Exchange } from './exchange.js';
import { type Settlement } from './settlement.js';
import { type Tries } from './tries.js';

it.each([
  [1, false],
  [0, true],
])('writes %i records of a failure of a call that was settled: %s', async (records, isSettled) => {
  const settleFailure = jest.fn<Settlement['settleFailure']>().mockResolvedValue();
  const settlement = { settleFailure } as unknown as Settlement;
  const dispatcher = new Dispatcher({} as Exchange, {} as Tries, settlement);
  const context = { signal: new AbortController().signal } as RequestContext;
  const call = beginCall(
    context,
    { path: '/x' },
    { value: {}, bytes: Buffer.from('{}'), edits: new Map() },
  );
  const failure = new GatewayError(503, 'provider_unavailable', 'no');
  const answer = dispatcher.recorded(call, () => {
    call.state.isSettled = isSettled;
    throw failure;
  });
  await expect(answer).rejects.toThrow('no');
  expect(settleFailure).toHaveBeenCalledTimes(records);
});
