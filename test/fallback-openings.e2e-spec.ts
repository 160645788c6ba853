import { describe, expect, it } from '@jest/globals';
import { CHUNKS, MESSAGE, messageEvent } from './support/provider-answers.js';
import { API_KEY } from './support/gateway.js';
import { sse } from './support/scripted-upstream-wire.js';
import { SURFACES } from './support/surfaces.js';
import { useGatewayBefore, usualProviders } from './support/use-gateway.js';

/** Both speak chat completions only. */
const GROQ = 'groq/llama-3.3-70b-versatile';
const FALLBACK = 'deepseek/deepseek-v4-flash';
const OVERLOADED = { type: 'overloaded_error', message: 'Overloaded' };

const claudeOpening =
  messageEvent('message_start', {
    message: { ...MESSAGE, usage: { input_tokens: 9, output_tokens: 1 } },
  }) + messageEvent('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
const claudeText = messageEvent('content_block_delta', {
  index: 0,
  delta: { type: 'text_delta', text: 'Hel' },
});
const chatOpening = sse({ id: 'c', choices: [{ index: 0, delta: { role: 'assistant' } }] });
const chatText = sse({ id: 'c', choices: [{ index: 0, delta: { content: 'Hel' } }] });
const response = { id: 'resp_1', object: 'response', status: 'in_progress', output: [] };
const responsesOpening = messageEvent('response.created', { response });
const responsesText = messageEvent('response.output_text.delta', { item_id: 'm', delta: 'Hel' });

/** What begins without saying anything, what says something, and what fails. */
const WIRES = [
  [
    'Claude’s error',
    'anthropic/claude-sonnet-4-5',
    claudeOpening,
    claudeText,
    messageEvent('error', { error: OVERLOADED }),
  ],
  ['an error of chat', GROQ, chatOpening, chatText, sse({ error: OVERLOADED })],
  [
    'an error of Responses',
    'openai/gpt-5-pro',
    responsesOpening,
    responsesText,
    messageEvent('error', OVERLOADED),
  ],
  ['a damaged chunk', GROQ, chatOpening, chatText, 'data: {"id": "c", "choi\n\n'],
  ['the end of the body', GROQ, chatOpening, chatText, ''],
] as const;
const CASES = SURFACES.flatMap(([path, body]) =>
  WIRES.map(([what, model, opening, text, failure]) => {
    return { path, body, what, model, opening, text, failure };
  }),
);

/** What a stream has that ended in an error, whatever its format. */
const FAILED = /event: error|response\.failed|"error":\{/;

describe('a stream that begins and fails in one piece', () => {
  const gateway = useGatewayBefore((url) => ({
    ...usualProviders(url),
    GROQ_API_KEY: 'upstream-groq-key',
    GROQ_BASE_URL: `${url}/groq`,
    DEEPSEEK_API_KEY: 'upstream-deepseek-key',
    DEEPSEEK_BASE_URL: `${url}/deepseek`,
  }));
  const { upstream, post } = gateway;
  const answers = (stream: string): void => {
    upstream.answers((answer, { path }) => {
      answer.writeHead(200, { 'content-type': 'text/event-stream' });
      answer.end(path.startsWith('/deepseek') ? CHUNKS : stream);
    });
  };

  it.each(CASES)('is left to the fallback ($path, $what)', async (wire) => {
    const { path, body, model, opening, failure } = wire;
    answers(opening + failure);
    const asked = { ...body, model, fallbacks: [FALLBACK], stream: true };
    const { headers, text } = await post(path, asked).expect(200);
    expect(headers['x-causeway-attempts']).toMatch(new RegExp(`^${model}:5\\d\\d, ${FALLBACK}:ok`));
    expect(text).toContain('Hi');
    expect(text).not.toMatch(FAILED);
  });

  it.each(CASES)('is not where it said something ($path, $what)', async (wire) => {
    const { path, body, model, opening, text: said, failure } = wire;
    answers(opening + said + failure);
    const asked = { ...body, model, fallbacks: [FALLBACK], stream: true };
    const { headers, text } = await post(path, asked).expect(200);
    expect(headers['x-causeway-attempts']).toBe(`${model}:ok`);
    expect(text).toContain('Hel');
    expect(text).toMatch(FAILED);
    expect(text).not.toContain('Hi');
  });

  it.each(CASES)('is not once it was heard ($path, $what)', async (wire) => {
    const { path, body, model, opening, failure } = wire;
    const heard = Promise.withResolvers<undefined>();
    upstream.answers(async (answer) => {
      answer.writeHead(200, { 'content-type': 'text/event-stream' });
      answer.write(opening);
      await heard.promise;
      answer.end(failure);
    });
    const answer = await fetch(gateway.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, model, fallbacks: [FALLBACK], stream: true }),
    });
    heard.resolve(undefined);
    const text = await answer.text();
    expect(answer.headers.get('x-causeway-attempts')).toBe(`${model}:ok`);
    expect(text).toMatch(FAILED);
    expect(text).not.toContain('Hi');
  });
});
