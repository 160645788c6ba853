import { describe, expect, it } from '@jest/globals';
import { anthropicAt, openaiAt } from './support/sdk-clients.js';
import { useGateway } from './support/use-gateway.js';

const hello = { role: 'user' as const, content: 'Hello' };
const parameters = { type: 'object', properties: { city: { type: 'string' } } };
const tools = [{ type: 'function' as const, function: { name: 'weather', parameters } }];
const message = {
  ...{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' },
  content: [{ type: 'output_text', text: 'Hi', annotations: [] }],
};
const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
const completion = {
  ...{ id: 'c', object: 'chat.completion' },
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hi' } }],
};
const answer = { id: 'resp_1', object: 'response', status: 'completed', output: [message], usage };

describe('what OpenAI’s Responses are asked for a caller whose tools its Chat Completions refuse', () => {
  const gateway = useGateway();
  const { upstream } = gateway;

  /** What a chat becomes. */
  async function sentFor(more: object, model = 'openai/gpt-5.6-sol') {
    upstream.replies(200, answer);
    const { chat } = openaiAt(gateway.url);
    await chat.completions.create({ model, messages: [hello], tools, ...more });
    expect(upstream.last.path).toBe('/openai/v1/responses');
    return upstream.last.body;
  }

  it.each([
    ['openai/gpt-5.6-sol', 'max', 'max'],
    ['openai/gpt-5.6-sol', 'xhigh', 'xhigh'],
    ['openai/gpt-5.5', 'xhigh', 'xhigh'],
    ['openai/gpt-5.5', 'max', 'xhigh'],
    ['openai/gpt-5.4', 'xhigh', 'xhigh'],
    ['openai/gpt-5.5', 'minimal', 'low'],
    ['openai/gpt-6.1-sol', 'none', 'none'],
    ['openai/gpt-6.2-astra', 'high', 'high'],
    // It has no word for not at all.
    ['openai/gpt-6.2-astra', 'none', undefined],
  ])('is the effort that %s has for %s', async (model, reasoning_effort, effort) => {
    const { reasoning } = await sentFor({ reasoning_effort }, model);
    expect(reasoning?.effort).toBe(effort);
  });

  it.each([
    [{ thinking: { type: 'adaptive' }, output_config: { effort: 'max' } }, 'max'],
    [{ thinking: { type: 'adaptive' }, output_config: { effort: 'xhigh' } }, 'xhigh'],
    [{ thinking: { type: 'disabled' } }, 'none'],
  ])('is the same for a caller of Messages, with tools and without: %j', async (more, effort) => {
    upstream.replies(200, answer);
    const asked = { model: 'openai/gpt-5.6-sol', max_tokens: 100, messages: [hello] };
    const offered = [{ name: 'weather', input_schema: { ...parameters, type: 'object' as const } }];
    await anthropicAt(gateway.url).messages.create({ ...asked, tools: offered, ...more } as never);
    expect(upstream.last.body.reasoning.effort).toBe(effort);
    upstream.replies(200, completion);
    await anthropicAt(gateway.url).messages.create({ ...asked, ...more } as never);
    expect(upstream.last.path).toBe('/openai/v1/chat/completions');
    expect(upstream.last.body.reasoning_effort).toBe(effort);
  });
});
