import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '../contract/gateway-error.js';
import { errorEvent } from './error-bodies.js';
import { responseEvent } from './response-failure.js';

const request = { path: '/v3/responses', id: 'req_1' };
const error = new GatewayError(502, 'upstream_error', 'Gone');
const created = responseEvent('response.created', {
  response: { id: 'resp_1', status: 'in_progress', instructions: 'a\u2028b' },
  sequence_number: 0,
});
const delta = (sequence_number: number) =>
  responseEvent('response.output_text.delta', {
    delta: '"sequence_number":99 \u2028',
    sequence_number,
  });

function ended(first?: string, last = first): any[] {
  const sent = {
    first: first === undefined ? undefined : Buffer.from(first),
    last: last === undefined ? undefined : Buffer.from(last),
  };
  const frames = errorEvent(error, request, sent).trim().split('\n\n');
  return frames.map((frame) => JSON.parse(frame.slice(frame.indexOf('data: ') + 6)) as unknown);
}

describe('the end of a response that broke off', () => {
  it('goes on from the last event that was sent, about the response of the first', () => {
    expect(ended(created, delta(6) + delta(7))).toEqual([
      {
        type: 'error',
        code: 'upstream_error',
        message: 'Gone',
        param: null,
        error: { message: 'Gone', type: 'upstream_error', param: null, code: 'upstream_error' },
        sequence_number: 8,
      },
      {
        type: 'response.failed',
        response: {
          id: 'resp_1',
          status: 'failed',
          instructions: 'a\u2028b',
          error: { code: 'upstream_error', message: 'Gone' },
        },
        sequence_number: 9,
      },
    ]);
  });

  it('says less where less is known', () => {
    const numbers = (events: any[]) =>
      events.map(({ type, sequence_number: number }) => [type, number]);
    expect(numbers(ended())).toEqual([['error', 0]]);
    expect(numbers(ended(': ping\n\n'))).toEqual([['error', 0]]);
    expect(numbers(ended('data: {"type":"x"}\r\n\r\n'))).toEqual([['error', 0]]);
    expect(numbers(ended(created, ': ping\n\n'))).toEqual([
      ['error', 0],
      ['response.failed', 1],
    ]);
  });

  it('is an error alone on the other paths', () => {
    const chat = errorEvent(error, { ...request, path: '/v3/chat/completions' }, {});
    expect(chat).toMatch(/^data: \{"error":/);
    const messages = errorEvent(error, { ...request, path: '/v3/v1/messages' }, {});
    expect(messages).toMatch(/^event: error\ndata: \{"type":"error"/);
  });
});
