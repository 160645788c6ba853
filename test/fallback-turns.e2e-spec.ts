import { describe, expect, it } from '@jest/globals';
import { COMPLETION } from './support/provider-answers.js';
import { useGatewayBefore, usualProviders } from './support/use-gateway.js';

const CHAT = '/v3/chat/completions';
const hello = { role: 'user', content: 'Hello' };
const go = { role: 'user', content: 'Go on' };

describe('the turns that a fallback gets', () => {
  const { upstream, post } = useGatewayBefore((url) => ({
    ...usualProviders(url),
    DEEPSEEK_API_KEY: 'k',
    DEEPSEEK_BASE_URL: `${url}/down`,
    AZURE_OPENAI_API_KEY: 'k',
    AZURE_OPENAI_BASE_URL: `${url}/openai/v1`,
  }));

  /** What the fallback is sent when the model that was asked for, which is DeepSeek's, is down. */
  const sentTo = async (fallback: string, asked: object, path = CHAT) => {
    upstream.answers((response, { path: to }) => {
      const isDown = to?.startsWith('/down') === true;
      response.writeHead(isDown ? 500 : 200, { 'content-type': 'application/json' });
      const answer = { ...COMPLETION, status: 'completed', output: [{ type: 'message' }] };
      response.end(JSON.stringify(isDown ? {} : answer));
    });
    const model = 'deepseek/deepseek-reasoner';
    await post(path, { model, fallbacks: [fallback], ...asked }).expect(200);
    return upstream.last.body as Record<string, unknown>;
  };

  it.each(['openai/gpt-4o', 'azure-openai/gpt-4o'])(
    'are none of thoughts alone, which are refused without a content (%s)',
    async (fallback) => {
      const thought = { role: 'assistant', content: null, reasoning_content: 'Hm' };
      const sent = await sentTo(fallback, { messages: [hello, thought, go] });
      expect(sent.messages).toEqual([hello, go]);
    },
  );
});
