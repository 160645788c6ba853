import { describe, expect, it } from '@jest/globals';
import { COMPLETION, MESSAGE } from './support/provider-answers.js';
import { useGateway } from './support/use-gateway.js';

const messages = [{ role: 'user', content: 'Hello' }];
const CHAT = '/v3/chat/completions';
const RESPONSES = '/v3/responses';

describe('a fallback at OpenAI', () => {
  const { upstream, post } = useGateway();

  /** What the fallback is sent when the model that was asked for is down. */
  const sentTo = async (path: string, asked: { model: string }, fallback: string) => {
    upstream.received.length = 0;
    upstream.answers((response, { body }) => {
      const isDown = asked.model.endsWith(`/${body.model}`);
      const text = { type: 'text', text: 'Hi' };
      const answer = { ...MESSAGE, ...COMPLETION, content: [text], output: [{ type: 'message' }] };
      response.writeHead(isDown ? 500 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isDown ? {} : { ...answer, status: 'completed' }));
    });
    await post(path, { ...asked, fallbacks: [fallback] }).expect(200);
    return upstream.last.body as Record<string, unknown>;
  };

  it.each([
    [CHAT, { model: 'openai/gpt-4o', messages }],
    [CHAT, { model: 'anthropic/claude-haiku-4-5', messages }],
    [RESPONSES, { model: 'openai/gpt-4o', input: 'Hello' }],
    ['/v3/v1/messages', { model: 'anthropic/claude-haiku-4-5', max_tokens: 9, messages }],
  ])('is not sampled where it reasons, which refuses that (%s, %j)', async (path, asked) => {
    const sampled = { ...asked, temperature: 0.2 };
    expect(await sentTo(path, sampled, 'openai/gpt-5-mini')).not.toHaveProperty('temperature');
    expect((await sentTo(path, sampled, 'openai/gpt-4o-mini')).temperature).toBe(0.2);
  });

  it('gets no reasoning where it does not, also of a conversation that has some', async () => {
    const input = [
      { type: 'message', role: 'user', content: 'Hello' },
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' },
      { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'ok' },
    ];
    const asked = {
      model: 'openai/gpt-5',
      input,
      reasoning: { effort: 'low' },
      include: ['reasoning.encrypted_content'],
      store: false,
    };
    const sent = await sentTo(RESPONSES, asked, 'openai/gpt-4o');
    expect(sent.input).toEqual(input.filter(({ type }) => type !== 'reasoning'));
    expect([sent.reasoning, sent.include, sent.store]).toEqual([undefined, [], false]);
    expect(await sentTo(RESPONSES, asked, 'openai/gpt-5-mini')).toMatchObject({
      ...asked,
      model: 'gpt-5-mini',
    });
  });
});
