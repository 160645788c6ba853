import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { API_KEY } from './support/gateway.js';
import { chunk, DONE } from './support/lessons.js';
import { requestRow } from './support/request-rows.js';
import { sse } from './support/scripted-upstream-wire.js';
import { useGatewayBefore } from './support/use-gateway.js';

/** 12 USD a thousand requests, beside the tokens. */
const MODEL = 'perplexity/sonar';
const FEE = 12_000_000_000n;
const OPENING = chunk({ role: 'assistant' });
const TEXT = chunk({ content: 'Hi' });
const USAGE = { usage: { prompt_tokens: 7, completion_tokens: 2 } };
const FAILURE = sse({ error: { type: 'server_error', message: 'boom' } });

describe('a fee for the request', () => {
  const gateway = useGatewayBefore((url) => ({
    PERPLEXITY_API_KEY: 'upstream-key',
    PERPLEXITY_BASE_URL: url,
  }));

  it.each([
    ['is not paid where nothing was said', [OPENING, FAILURE], 0n],
    ['is not paid where nothing was reported', [TEXT, FAILURE], 0n],
    [
      'is paid with what was reported before',
      [chunk({ content: 'Hi' }, null, USAGE), FAILURE],
      FEE,
    ],
    ['is paid for an answer', [TEXT, chunk({}, 'stop', USAGE), DONE], FEE],
  ] as const)('%s', async (_, [first, ...others], fee) => {
    const heard = Promise.withResolvers<undefined>();
    gateway.upstream.answers(async (answer) => {
      answer.writeHead(200, { 'content-type': 'text/event-stream' });
      answer.write(first);
      await heard.promise;
      answer.end(others.join(''));
    });
    const id = randomUUID();
    const messages = [{ role: 'user', content: 'Hello' }];
    const answer = await fetch(`${gateway.url}/v3/chat/completions`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
        'x-request-id': id,
      },
      body: JSON.stringify({ model: MODEL, messages, stream: true }),
    });
    heard.resolve(undefined);
    await answer.text();
    const { cost_units: cost } = await requestRow(gateway, id);
    expect(cost).toBe(fee === 0n ? 0n : fee + 9_000_000n);
  });
});
