import { describe, expect, it } from '@jest/globals';
import { ADMIN_KEY } from './support/gateway.js';
import { useGatewayBefore, usualProviders } from './support/use-gateway.js';

const CHAT = '/v3/chat/completions';
const MESSAGES = '/v3/v1/messages';
const RESPONSES = '/v3/responses';
const CLAUDE = 'anthropic/claude-haiku-4-5';
const GPT = 'openai/gpt-4o-mini';
const GEMINI = 'google/gemini-2.5-flash';
const SIXTY_WORDS = 'word '.repeat(60);
/** A third of its bytes. */
const TOKENS = 100;

const message = (...content: object[]) => ({
  ...{ id: 'm', type: 'message', role: 'assistant', content, stop_reason: 'end_turn' },
});
const completion = (said: object) => ({
  id: 'c',
  choices: [{ index: 0, message: { role: 'assistant', ...said }, finish_reason: 'stop' }],
});
const text = (said: string) => ({ type: 'text', text: said });
const said = (model: string) => {
  if (model === CLAUDE) return message(text(SIXTY_WORDS));
  if (model === GPT) return completion({ content: SIXTY_WORDS });
  const content = { role: 'model', parts: [{ text: SIXTY_WORDS }] };
  return { candidates: [{ content, finishReason: 'STOP' }] };
};

const gateway = useGatewayBefore((url) => ({
  ...usualProviders(url),
  ...{ GOOGLE_API_KEY: 'google-key', GOOGLE_BASE_URL: `${url}/google` },
}));
const { upstream } = gateway;

const ask = (path: string, model: string) => {
  const messages = [{ role: 'user', content: 'Hello' }];
  const asked = path === RESPONSES ? { input: 'Hello' } : { messages, max_tokens: 500 };
  return gateway.post(path, { model, ...asked }).expect(200);
};
const rowOf = async ({ headers }: { headers: Record<string, string> }) => {
  const row = await fetch(`${gateway.url}/v3/admin/requests/${headers['x-request-id']}`, {
    headers: { authorization: `Bearer ${ADMIN_KEY}` },
  });
  return (await row.json()) as Record<string, number>;
};

describe('a whole answer whose provider tells no usage', () => {
  it.each([
    [MESSAGES, CLAUDE],
    [MESSAGES, GPT],
    [MESSAGES, GEMINI],
    [CHAT, GPT],
    [CHAT, CLAUDE],
    [CHAT, GEMINI],
    [RESPONSES, CLAUDE],
  ])('is counted by what it says, on %s of %s', async (path, model) => {
    upstream.replies(200, said(model));
    const reply = await ask(path, model);
    const row = await rowOf(reply);
    expect(row).toMatchObject({ output_tokens: TOKENS, estimated: true });
    expect(row.input_tokens).toBeGreaterThan(0);
    const { usage } = reply.body;
    const [input, output] =
      path === CHAT ? ['prompt_tokens', 'completion_tokens'] : ['input_tokens', 'output_tokens'];
    expect([usage[input], usage[output]]).toEqual([row.input_tokens, TOKENS]);
  });

  it.each([
    ['an image', CHAT, GPT, completion({ content: 'here', images: [{ url: 'x'.repeat(9_000) }] })],
    [
      'a signature',
      MESSAGES,
      CLAUDE,
      message({ type: 'thinking', thinking: 'h', signature: 'x'.repeat(6_000) }, text('ere')),
    ],
    ['marks', CHAT, GPT, completion({ content: 'here', annotations: [{ url: 'x' }] })],
  ])('is not charged for the length of %s', async (_, path, model, answer) => {
    upstream.replies(200, answer);
    expect((await rowOf(await ask(path, model))).output_tokens).toBe(2);
  });

  it('is counted by its bytes, as a stream is', async () => {
    upstream.replies(200, completion({ content: '好'.repeat(300) }));
    expect((await rowOf(await ask(CHAT, GPT))).output_tokens).toBe(300);
  });
});
