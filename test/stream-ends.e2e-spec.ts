import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type FakeUpstream } from './support/fake-upstream.js';
import { chunk, DONE, eventsIn, GEMINI } from './support/lessons.js';
import { MODELS, useScriptedGateway } from './support/scripted-upstream.js';
import { sse } from './support/scripted-upstream-wire.js';
import { requestRow } from './support/request-rows.js';

/** Speaks only chat completions. */
const DEEPSEEK = 'deepseek/deepseek-v4-flash';
const messages = [{ role: 'user', content: 'Hello' }];
const SURFACES = [
  ['Messages', '/v3/v1/messages', { max_tokens: 100, messages }, 'message_stop'],
  ['chat', '/v3/chat/completions', { messages }, '[DONE]'],
  ['Responses', '/v3/responses', { input: 'Hello' }, 'response.completed'],
] as const;

/** Whole answers of formats whose end is known before their last event. */
const ANSWERS = [
  ['OpenAI’s', DEEPSEEK, [chunk({ content: 'Hi' }), chunk({}, 'stop')]],
  [
    'Gemini’s',
    GEMINI,
    [sse({ candidates: [{ content: { parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }] })],
  ],
] as const;
const FAULTS = ['is torn', 'falls silent'] as const;

const CASES = SURFACES.flatMap(([surface, path, fields, end]) =>
  ANSWERS.flatMap(([format, model, pieces]) =>
    FAULTS.map((fault) => ({ surface, path, fields, end, format, model, pieces, fault })),
  ),
);

/** Streams these pieces, and then fails without an end. */
function fails(
  upstream: FakeUpstream,
  pieces: readonly string[],
  fault: (typeof FAULTS)[number],
): void {
  upstream.answers((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(pieces.join(''), () => {
      if (fault === 'is torn') response.destroy();
    });
  });
}

describe('a stream that fails behind its reason to stop', () => {
  const gateway = useScriptedGateway({ UPSTREAM_IDLE_TIMEOUT_MS: '300' });
  const { upstream, post } = gateway;

  it.each(CASES)(
    'is a whole answer ($format $fault, $surface)',
    async ({ path, fields, end, model, pieces, fault }) => {
      fails(upstream, pieces, fault);
      const id = randomUUID();
      const { text } = await post(path, { ...fields, model, stream: true })
        .set('x-request-id', id)
        .expect(200);
      const { name, data } = eventsIn(text).at(-1)!;
      expect(name ?? data).toBe(end);
      expect(await requestRow(gateway, id)).toMatchObject({ outcome: 'ok' });
    },
  );

  it.each(FAULTS)('is no answer while one of its choices is missing (%s)', async (fault) => {
    fails(upstream, [chunk({ content: 'Hi' }), chunk({}, 'stop')], fault);
    const body = { model: DEEPSEEK, messages, n: 2, stream: true };
    const { text } = await post('/v3/chat/completions', body).expect(200);
    expect(text).not.toContain('[DONE]');
    expect(eventsIn(text).at(-1)!.data).toHaveProperty('error');
  });
});

const used = { usage: { prompt_tokens: 7, completion_tokens: 2 } };
const FAILED = chunk({}, 'error', used);
const INTERRUPTED = chunk({}, 'insufficient_system_resource', used);
const usage = { billed_units: { input_tokens: 7, output_tokens: 2 } };

/** What providers stream that fail in the middle, with what they bill for it. */
const FAILURES = [
  ['OpenAI’s', DEEPSEEK, [chunk({ content: 'Hi' }), FAILED, DONE]],
  ['DeepSeek’s', DEEPSEEK, [chunk({ content: 'Hi' }), INTERRUPTED, DONE]],
  [
    'Cohere’s',
    MODELS.cohere,
    [
      sse({ type: 'message-start', delta: { message: { role: 'assistant' } } }),
      sse({ type: 'content-delta', delta: { message: { content: { text: 'Hi' } } } }),
      sse({ type: 'message-end', delta: { finish_reason: 'ERROR', usage } }),
    ],
  ],
] as const;

describe('a stream whose reason to stop is that its provider failed', () => {
  const gateway = useScriptedGateway();
  const { upstream, post } = gateway;

  function streams(pieces: readonly string[]): void {
    upstream.answers((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(pieces.join(''));
    });
  }

  const cases = SURFACES.flatMap((surface) => FAILURES.map((failure) => [...surface, ...failure]));

  it.each(cases as [...(typeof SURFACES)[number], ...(typeof FAILURES)[number]][])(
    'ends in an error on %s',
    async (_surface, path, fields, end, _format, model, pieces) => {
      streams(pieces);
      const id = randomUUID();
      const { text } = await post(path, { ...fields, model, stream: true })
        .set('x-request-id', id)
        .expect(200);
      expect(text).toContain('Hi');
      expect(text).not.toContain(end);
      expect(text).toMatch(/"error":\{/);
      const row = { outcome: 'error', input_tokens: 7, output_tokens: 2 };
      expect(await requestRow(gateway, id)).toMatchObject(row);
    },
  );

  it('is answered by a fallback while nothing was said', async () => {
    streams([FAILED, DONE]);
    const [, path, fields, end] = SURFACES[0];
    const body = { ...fields, model: DEEPSEEK, fallbacks: ['sandbox/echo'], stream: true };
    const { text } = await post(path, body).expect(200);
    expect(eventsIn(text).at(-1)!.name).toBe(end);
  });
});
