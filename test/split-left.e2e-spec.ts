import { afterEach, describe, expect, it } from '@jest/globals';
import { type ServerResponse } from 'node:http';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openai } from '../src/providers/openai/openai.js';
import { estimateInput } from '../src/tokens/estimate.js';
import { temporaryDirectory } from './support/databases.js';
import { type Handler, type Received } from './support/fake-upstream.js';
import { goodObject } from './support/fault-answers.js';
import { asking } from './support/fault-callers.js';
import { useFaultyProvider } from './support/fault-gateway.js';
import { until } from './support/until.js';

const EMBEDDINGS = 'openai/text-embedding-3-small';
const WITH_FEE = 'openai/text-embedding-3-large';
const IMAGES = 'openai/gpt-image-1';
const MODELS_FILE = join(temporaryDirectory(), 'models.yaml');
writeFileSync(
  MODELS_FILE,
  `models:
  ${EMBEDDINGS}: { pricing: { input_cost_per_token: 0.001 }, capabilities: { max_input_items: 1 } }
  ${WITH_FEE}: { pricing: { input_cost_per_token: 0, cost_per_request: 1 }, capabilities: { max_input_items: 1 } }
  ${IMAGES}: { pricing: { input_cost_per_token: 0.001, output_cost_per_image: 1 }, capabilities: { max_images: 1 } }
`,
);
const provider = useFaultyProvider({ MODELS_FILE, UPSTREAM_FIRST_BYTE_TIMEOUT_MS: '10000' });
const { upstream } = provider;

/** Eight calls, of which four run at a time. */
const TEXTS = Array.from({ length: 8 }, (_, at) => `text number ${at}`);
const PROMPT = 'Eight cats';
const SPLIT = {
  embeddings: ['/v3/embeddings', { model: EMBEDDINGS, input: TEXTS }],
  withFee: ['/v3/embeddings', { model: WITH_FEE, input: TEXTS }],
  images: ['/v3/images/generations', { model: IMAGES, prompt: PROMPT, n: TEXTS.length }],
} as const;
const TOLD = 1_000;
/** What a call is counted for that has been sent and not answered, in tokens. */
const COUNTED = {
  embeddings: estimateInput([TEXTS[0]]),
  images: estimateInput({ model: IMAGES, prompt: PROMPT, n: 1 }),
};

function answered(response: ServerResponse, request: Received): void {
  const usage = { prompt_tokens: TOLD, total_tokens: TOLD };
  const told = request.path.includes('images') ? { usage: null } : { usage };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ ...goodObject(request), ...told }));
}

/** Answers the first calls like this, in the order in which they come, and lets all others wait. */
function first(...handlers: readonly Handler[]): readonly (() => void)[] {
  const waiting: (() => void)[] = [];
  let asked = 0;
  upstream.answers((response, request) => {
    const handler = handlers[asked++];
    if (handler) return handler(response, request);
    waiting.push(() => {
      answered(response, request);
    });
    return undefined;
  });
  return waiting;
}

/** Asks, leaves when so many calls have come, and gives what was booked. */
async function leftAfter(calls: number, kind: keyof typeof SPLIT, meanwhile = () => undefined) {
  const before = upstream.received.length;
  const caller = asking(provider, SPLIT[kind]);
  await until(() => upstream.received.length - before === calls);
  // What has been answered comes in, and nothing tells outside when it has.
  await delay(100);
  expect(upstream.received.length - before).toBe(calls);
  caller.request.destroy();
  meanwhile();
  await provider.settled({ seconds: 3 });
  expect(upstream.received.length - before).toBe(calls);
  const { row, charges } = await provider.booked(caller.id);
  expect(row).toMatchObject({ outcome: 'client_closed', status: 499 });
  expect(charges).toEqual(row.cost === 0 ? [] : [-row.cost]);
  return row;
}

describe('Who leaves a request of several calls', () => {
  const { onDisconnect } = openai;
  afterEach(() => {
    Object.assign(openai, { onDisconnect });
  });

  it('pays for the vectors that came and for what was sent, and not for what was not', async () => {
    first(answered, answered);
    const row = await leftAfter(6, 'embeddings');
    const tokens = 2 * TOLD + 4 * COUNTED.embeddings;
    expect(row).toMatchObject({ input_tokens: tokens, estimated: true });
    expect(row.cost).toBeCloseTo(tokens / 1_000, 9);
  });

  it('pays the fee for each that was sent, and not for what was not', async () => {
    first(answered, answered);
    expect((await leftAfter(6, 'withFee')).cost).toBe(6);
  });

  it('pays for the images that came and for what was sent, and not for what was not', async () => {
    first(answered, answered);
    const row = await leftAfter(6, 'images');
    expect(row).toMatchObject({ images: 2, input_tokens: 4 * COUNTED.images, estimated: true });
    expect(row.cost).toBeCloseTo(2 + (4 * COUNTED.images) / 1_000, 9);
  });

  it.each([
    ['embeddings', { input_tokens: 5 * TOLD, images: 0, cost: 5, estimated: false }],
    ['images', { input_tokens: 0, images: 5, cost: 5, estimated: false }],
  ] as const)(
    'pays for all that is read on where the provider works on (%s)',
    async (kind, booked) => {
      Object.assign(openai, { onDisconnect: 'drain' });
      const waiting = first(answered);
      const row = await leftAfter(5, kind, () => {
        // One after the other, long after the first one has ended.
        waiting.forEach((answer, at) => setTimeout(answer, 200 + at * 200));
      });
      expect(row).toMatchObject(booked);
    },
  );

  it('pays as much where it leaves while a refused call waits to be made again', async () => {
    const before = upstream.received.length;
    const refuse: Handler = async (response) => {
      await until(() => upstream.received.length - before === 6);
      response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '3' });
      response.end('{"error":{"message":"Busy"}}');
    };
    first(answered, answered, refuse);
    const row = await leftAfter(6, 'embeddings');
    expect(row.input_tokens).toBe(2 * TOLD + 3 * COUNTED.embeddings);
    expect(row.cost).toBeCloseTo(row.input_tokens / 1_000, 9);
  });

  it('pays nothing where nothing of it has come but refusals', async () => {
    const refuse: Handler = (response) => {
      response.writeHead(503, { 'retry-after': '3' }).end();
    };
    first(refuse, refuse, refuse, refuse);
    expect(await leftAfter(4, 'images')).toMatchObject({ cost: 0, estimated: false });
  });
});
