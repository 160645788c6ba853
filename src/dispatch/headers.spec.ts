import { expect, it } from '@jest/globals';
import { GatewayError } from '../contract/gateway-error.js';
import { type Call } from './call.js';
import { withAttempts } from './headers.js';

const headersOf = (count: number) => {
  const attempts = Array.from({ length: count }, (_, index) => ({
    ...{ model: `mine/${index}`, provider: 'mine', status: 500, ms: 1 },
  }));
  const error = withAttempts(new GatewayError(502, 'upstream_error', 'No.'), {
    attempts,
    context: { headers: {} },
  } as unknown as Call);
  return (error as GatewayError).details.headers?.['x-causeway-attempts'];
};

it('tells of every try, and of very many the first and the last ones', () => {
  expect(headersOf(2)).toBe('mine/0:500, mine/1:500');
  expect(headersOf(40)?.split(', ')).toHaveLength(40);
  const many = headersOf(600)?.split(', ') ?? [];
  expect(many).toHaveLength(41);
  expect([many[0], many[19], many[20], many[21], many[40]]).toEqual([
    ...['mine/0:500', 'mine/19:500', '+560', 'mine/580:500', 'mine/599:500'],
  ]);
});
