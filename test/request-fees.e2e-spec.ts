import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unitsOfUsd } from '../src/contract/money.js';
import { fundedAccount } from './support/credit.js';
import { temporaryDirectory } from './support/databases.js';
import { good } from './support/fault-answers.js';
import { API_KEY } from './support/gateway.js';
import { png } from './support/images.js';
import { chunk, DONE } from './support/lessons.js';
import { requestRow } from './support/request-rows.js';
import { sse } from './support/scripted-upstream-wire.js';
import { useGatewayBefore, usualProviders } from './support/use-gateway.js';

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

describe('a fee for the request that is made into three', () => {
  const MODELS_FILE = join(temporaryDirectory(), 'models.yaml');
  const EMBEDDINGS = 'openai/text-embedding-3-small';
  const IMAGES = 'openai/dall-e-2';
  const FILTERED = 'stability/stable-image-core';
  writeFileSync(
    MODELS_FILE,
    `models:
  ${EMBEDDINGS}: { pricing: { input_cost_per_token: 0, cost_per_request: 1 }, capabilities: { max_input_items: 1 } }
  ${IMAGES}: { endpoints: [images], pricing: { output_cost_per_image: 0, cost_per_request: 1 }, capabilities: { max_images: 1 } }
  ${FILTERED}: { pricing: { output_cost_per_image: 0, cost_per_request: 1 } }
`,
  );
  const gateway = useGatewayBefore((url) => ({
    ...{ ...usualProviders(url), MODELS_FILE },
    ...{ STABILITY_API_KEY: 'stability-key', STABILITY_BASE_URL: url },
  }));
  const { upstream } = gateway;

  it.each([
    ['embeddings', { model: EMBEDDINGS, input: ['a', 'b', 'c'] }],
    ['images/generations', { model: IMAGES, prompt: 'x', n: 3 }],
  ])('is held and paid three times (%s)', async (path, body) => {
    upstream.received.length = 0;
    upstream.answers(good);
    const ask = async (credit: bigint) => {
      const { key } = await fundedAccount(gateway, credit);
      return gateway.ask(`POST /v3/${path}`, body, { key });
    };
    const refused = await ask(unitsOfUsd(3) - 1n);
    expect([refused.status, upstream.received.length]).toEqual([402, 0]);
    const answered = await ask(unitsOfUsd(3));
    expect([answered.status, answered.body.cost, upstream.received.length]).toEqual([200, 3, 3]);
  });

  it('is not paid for the image that the provider filtered', async () => {
    const image = png(8, 8).toString('base64');
    let asked = 0;
    upstream.answers((response) => {
      const finish_reason = asked++ === 0 ? 'CONTENT_FILTERED' : 'SUCCESS';
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ image, finish_reason }));
    });
    const body = { model: FILTERED, prompt: 'x', n: 3 };
    const answered = await gateway.ask('POST /v3/images/generations', body, { key: API_KEY });
    expect([answered.body.data.length, answered.body.cost]).toEqual([2, 2]);
  });
});
