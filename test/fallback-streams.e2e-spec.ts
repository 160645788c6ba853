import { describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { BEGINNING, CHUNKS, END, messageEvent } from './support/provider-answers.js';
import { API_KEY } from './support/gateway.js';
import { sse } from './support/scripted-upstream-wire.js';
import { SURFACES } from './support/surfaces.js';
import { useGatewayBefore, usualProviders } from './support/use-gateway.js';

const CLAUDE = 'anthropic/claude-sonnet-4-5';
const GPT = 'openai/gpt-4o';
const GEMINI = 'google/gemini-2.5-flash';
/** It is asked by way of Responses, whoever calls. */
const PRO = 'openai/gpt-5-pro';

const OVERLOADED = { type: 'overloaded_error', message: 'Overloaded' };
const failed = messageEvent('error', { error: OVERLOADED });
const unavailable = sse({ error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } });
const untyped = sse({ error: { message: 'Overloaded', type: 'server_error' } });

const RESPONSE = { id: 'resp_1', object: 'response', status: 'completed', output: [] };
/** What the fallback says, by the end of its path. */
const WELL = [
  ['/messages', BEGINNING + END],
  ['/chat/completions', CHUNKS],
  [
    '/responses',
    messageEvent('response.created', { response: { ...RESPONSE, status: 'in_progress' } }) +
      messageEvent('response.output_text.delta', { item_id: 'm', delta: 'Hi' }) +
      messageEvent('response.completed', { response: RESPONSE }),
  ],
] as const;

describe('a stream in which nothing was said before its error', () => {
  const gateway = useGatewayBefore((url) => ({
    ...usualProviders(url),
    GOOGLE_API_KEY: 'upstream-google-key',
    GOOGLE_BASE_URL: `${url}/google`,
  }));
  const { upstream, post } = gateway;

  const gemini: readonly (readonly [string, object])[] = [
    ['nothing', {}],
    ['counts', { usageMetadata: { promptTokenCount: 9, totalTokenCount: 9 } }],
    ['a judgement', { promptFeedback: { safetyRatings: [] } }],
    ['no parts', { candidates: [{ content: { role: 'model', parts: [] } }] }],
    ['an empty part', { candidates: [{ content: { parts: [{ text: '' }] } }] }],
  ];
  const openings: readonly (readonly [string, string, string, readonly string[]])[] = [
    ['a ping of Claude', CLAUDE, GPT, [messageEvent('ping'), failed]],
    ['a ping and no more', CLAUDE, GPT, [messageEvent('ping'), '']],
    ['a comment', CLAUDE, GPT, [': on its way\n\n', failed]],
    ['a comment of OpenAI', GPT, CLAUDE, [': on its way\n\n', untyped]],
    ['a ping of Responses', PRO, CLAUDE, [messageEvent('ping'), messageEvent('error', OVERLOADED)]],
    ['a keepalive', PRO, CLAUDE, [messageEvent('keepalive'), messageEvent('error', OVERLOADED)]],
    ['an error without a type', PRO, CLAUDE, [untyped]],
    ['an event that nobody knows', CLAUDE, GPT, [messageEvent('ping_sent'), failed]],
    ['the same of Responses', PRO, CLAUDE, [messageEvent('ping_sent'), untyped]],
    ['no choices', GPT, CLAUDE, [sse({ id: 'ping', choices: [] }), untyped]],
    [
      'an empty choice',
      GPT,
      CLAUDE,
      [sse({ id: 'ping', choices: [{ index: 0, delta: {} }] }), untyped],
    ],
    ...gemini.map(
      ([what, chunk]) => [`${what} of Gemini`, GEMINI, CLAUDE, [sse(chunk), unavailable]] as const,
    ),
  ];
  it.each(
    SURFACES.flatMap(([path, body]) =>
      openings.map(([what, ...opening]) => [path, what, body, opening] as const),
    ),
  )('leaves it to the fallback (%s: %s)', async (path, _, body, [model, fallback, pieces]) => {
    upstream.answers(async (response, { body: { model: asked }, path: at }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const well = WELL.find(([end]) => at.endsWith(end))?.[1] ?? '';
      // Gemini is told its model in the path.
      const isFirst = asked === undefined || model.endsWith(`/${asked}`);
      for (const piece of isFirst ? pieces : [well]) {
        response.write(piece);
        // In a piece of its own.
        await delay(20);
      }
      response.end();
    });
    const asked = { ...body, model, fallbacks: [fallback], stream: true };
    const { headers, text } = await post(path, asked).expect(200);
    expect(headers['x-causeway-attempts']).toMatch(
      new RegExp(`^${model}:5\\d\\d, ${fallback}:ok$`),
    );
    expect(text).toContain('Hi');
    expect(text).not.toMatch(/ping|keepalive|Overloaded/);
  });

  it.each([
    ['/v3/v1/messages', CLAUDE, 'ping'],
    ['/v3/responses', PRO, 'keepalive'],
  ])(
    'shows that the provider is at work when it says so again and again (%s)',
    async (path, model, name) => {
      const left = Promise.withResolvers<undefined>();
      upstream.answers(async (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (let count = 0; count < 9; count += 1) response.write(messageEvent(name));
        await left.promise;
        response.end();
      });
      const [, conversation] = SURFACES.find(([at]) => at === path)!;
      const asked = { model, stream: true, ...conversation };
      const answer = await fetch(gateway.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify(asked),
      });
      const reader = answer.body!.getReader();
      const { value } = await reader.read();
      expect(Buffer.from(value!).toString()).toContain(name);
      left.resolve(undefined);
      await reader.cancel();
    },
  );
});
