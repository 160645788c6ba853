import { describe, expect, it } from '@jest/globals';
import { useGateway } from './support/use-gateway.js';

const model = 'openai/gpt-5.3-codex';
const messages = [{ role: 'user', content: 'Hi' }];
const ASKED: readonly [string, object][] = [
  ['/v3/responses', { model, input: 'Hi' }],
  ['/v3/chat/completions', { model, messages }],
  ['/v3/v1/messages', { model, max_tokens: 50, messages }],
];
const head = { id: 'resp_up', object: 'response', model: 'gpt', output: [] };

describe('A model that is served by Responses', () => {
  const gateway = useGateway();
  const { upstream, post } = gateway;

  describe.each(ASKED)('on %s', (path, asked) => {
    it.each([
      ['rate_limit_exceeded', 429, 'slow'],
      ['invalid_prompt', 400, 'slow'],
      ['image_too_large', 400, 'slow'],
      ['server_error', 502, 'failed with status'],
    ])(
      'fails by the code %s of a whole answer and of a stream alike',
      async (code, status, said) => {
        const response = { ...head, status: 'failed', error: { code, message: 'slow' } };
        upstream.replies(200, response);
        const whole = await post(path, asked);
        expect([whole.status, whole.body.error.message]).toEqual([
          status,
          expect.stringContaining(said),
        ]);

        upstream.streams(eventOf({ type: 'response.failed', response }));
        const stream = await post(path, { ...asked, stream: true });
        expect([stream.status, stream.body.error.message]).toEqual([
          status,
          expect.stringContaining(said),
        ]);
      },
    );
  });
});

function eventOf(event: { readonly type: string; readonly [field: string]: unknown }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
