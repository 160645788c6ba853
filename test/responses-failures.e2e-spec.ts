import { describe, expect, it } from '@jest/globals';
import { API_KEY } from './support/gateway.js';
import { useGateway } from './support/use-gateway.js';
import { requestRow } from './support/request-rows.js';

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
      ['cyber_policy', 400, 'slow'],
      ['misalignment_policy_violation', 400, 'slow'],
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

    it.each(['queued', 'in_progress', 'cancelled', 'failed'])(
      'has given no answer where that is %s, and another may',
      async (status) => {
        upstream.replies(200, { ...head, status });
        await post(path, asked).expect(502);

        upstream.answers((response, { body }) => {
          const isFirst = body.model === 'gpt-5.3-codex';
          const answer = { ...head, status: isFirst ? status : 'completed' };
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end(JSON.stringify(answer));
        });
        const other = 'openai/gpt-5.4-pro';
        const { headers } = await post(path, { ...asked, fallbacks: [other] }).expect(200);
        expect(headers['x-causeway-model']).toBe(other);
      },
    );

    it.each(['completed', 'incomplete', undefined])('has answered with %s', async (status) => {
      upstream.replies(200, { ...head, status });
      await post(path, asked).expect(200);
    });

    it('is paid what it reported for a stream that it broke off', async () => {
      const error = { code: 'server_error', message: 'boom' };
      const usage = { input_tokens: 100, output_tokens: 10, total_tokens: 110 };
      const item = { type: 'message', id: 'msg_1', role: 'assistant', content: [] };
      upstream.streams(
        eventOf({ type: 'response.created', response: { ...head, status: 'in_progress' } }),
        eventOf({ type: 'response.output_item.added', output_index: 0, item }),
        eventOf({ type: 'response.output_text.delta', output_index: 0, delta: 'A few words.' }),
        eventOf({ type: 'response.failed', response: { ...head, status: 'failed', error, usage } }),
      );
      const id = `broken-off${path.replaceAll('/', '-')}`;
      const stream = await post(path, { ...asked, stream: true }).set('x-request-id', id);
      expect(stream.text).toContain('A few words.');
      const row = await requestRow(gateway, id);
      expect(row).toMatchObject({ outcome: 'error', input_tokens: 100, output_tokens: 10 });
      expect(row.cost_units).toBeGreaterThan(0n);
    });

    it('is paid nothing where it fails before it says anything, whole and streamed', async () => {
      const error = { code: 'server_error', message: 'boom' };
      const usage = { input_tokens: 100, output_tokens: 10, total_tokens: 110 };
      const response = { ...head, status: 'failed', error, usage };
      const begun = { type: 'response.created', response: { ...head, status: 'in_progress' } };
      let continues = (): void => undefined;
      upstream.answers((answer, { body }) => {
        const type = body.stream === true ? 'text/event-stream' : 'application/json';
        answer.writeHead(200, { 'content-type': type });
        if (body.stream === true) answer.write(eventOf(begun));
        else answer.end(JSON.stringify(response));
        continues = () => void answer.end(eventOf({ type: 'response.failed', response }));
      });
      const id = (name: string) => `${name}${path.replaceAll('/', '-')}`;
      await post(path, asked).set('x-request-id', id('whole')).expect(502);
      const stream = await fetch(gateway.url + path, {
        method: 'POST',
        headers: {
          ...{ authorization: `Bearer ${API_KEY}`, 'x-request-id': id('stream') },
          'content-type': 'application/json',
        },
        body: JSON.stringify({ ...asked, stream: true }),
      });
      // Its caller has the head before it fails.
      continues();
      expect([stream.status, await stream.text()]).toEqual([200, expect.stringContaining('error')]);
      for (const name of ['whole', 'stream']) {
        const row = await requestRow(gateway, id(name));
        expect([row.outcome, row.cost_units]).toEqual(['error', 0n]);
      }
    });
  });

  it.each(ASKED.slice(1))('on %s takes nothing that OpenAI has stored', async (path, asked) => {
    const before = upstream.received.length;
    for (const fields of [
      { previous_response_id: 'resp_1' },
      { conversation: { id: 'conv_1' } },
      { prompt: { id: 'pmpt_1' } },
      { background: true },
    ]) {
      const { body } = await post(path, { ...asked, ...fields }).expect(400);
      expect(body.error.message).toContain(`'${Object.keys(fields)[0]}'`);
    }
    expect(upstream.received.length).toBe(before);

    upstream.replies(200, { ...head, status: 'completed' });
    await post(path, { ...asked, previous_response_id: null, background: false }).expect(200);
  });
});

function eventOf(event: { readonly type: string; readonly [field: string]: unknown }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
