import { describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { BEGINNING, CHUNKS, END, messageEvent } from './support/provider-answers.js';
import { sse } from './support/scripted-upstream-wire.js';
import { SURFACES } from './support/surfaces.js';
import { useGateway } from './support/use-gateway.js';

const CLAUDE = 'anthropic/claude-sonnet-4-5';
const GPT = 'openai/gpt-4o';
/** It is asked by way of Responses, whoever calls. */
const PRO = 'openai/gpt-5-pro';

const OVERLOADED = { type: 'overloaded_error', message: 'Overloaded' };
const failed = messageEvent('error', { error: OVERLOADED });
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
  const { upstream, post } = useGateway();

  const openings: readonly (readonly [string, string, string, readonly string[]])[] = [
    ['a ping of Claude', CLAUDE, GPT, [messageEvent('ping'), failed]],
    ['a ping and no more', CLAUDE, GPT, [messageEvent('ping'), '']],
    ['a comment', CLAUDE, GPT, [': on its way\n\n', failed]],
    ['a comment of OpenAI', GPT, CLAUDE, [': on its way\n\n', untyped]],
    ['a ping of Responses', PRO, CLAUDE, [messageEvent('ping'), messageEvent('error', OVERLOADED)]],
    ['a keepalive', PRO, CLAUDE, [messageEvent('keepalive'), messageEvent('error', OVERLOADED)]],
    ['an error without a type', PRO, CLAUDE, [untyped]],
  ];
  it.each(
    SURFACES.flatMap(([path, body]) =>
      openings.map(([what, ...opening]) => [path, what, body, opening] as const),
    ),
  )('leaves it to the fallback (%s: %s)', async (path, _, body, [model, fallback, pieces]) => {
    upstream.answers(async (response, { body: { model: asked }, path: at }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const well = WELL.find(([end]) => at.endsWith(end))?.[1] ?? '';
      for (const piece of model.endsWith(`/${asked}`) ? pieces : [well]) {
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
});
