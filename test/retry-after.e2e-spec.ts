import { describe, expect, it } from '@jest/globals';
import { API_KEY } from './support/gateway.js';
import { COMPLETION } from './support/provider-answers.js';
import { until } from './support/until.js';
import { useGatewayBefore } from './support/use-gateway.js';

const MODEL = 'openai/gpt-4o-mini';
const messages = [{ role: 'user', content: 'Hello' }];
const OTHER = 'openai/gpt-4o';
const GEMINI = 'google/gemini-3.5-flash';
const CANDIDATE = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }],
};
const PATIENCE_MS = 5_000;

describe('A provider that says when to come back', () => {
  const gateway = useGatewayBefore((url) => ({
    OPENAI_API_KEY: 'k',
    OPENAI_BASE_URL: `${url}/v1`,
    ...{ GOOGLE_API_KEY: 'k', GOOGLE_BASE_URL: url },
    UPSTREAM_FIRST_BYTE_TIMEOUT_MS: String(PATIENCE_MS),
  }));
  const { upstream } = gateway;

  /** Refuses the first request, and answers those after it; gives when each of them came. */
  const refusesOnce = (status: number, retryAfter: string) =>
    upstream.refusesOnce(status, { 'retry-after': retryAfter }, COMPLETION);
  const refusesAsGoogle = (status: number, retryDelay: string) => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay }];
    const error = { code: status, message: 'Slow down', status: 'RESOURCE_EXHAUSTED', details };
    return upstream.refusesOnce(status, {}, CANDIDATE, { error });
  };
  const chat = (body: object = {}) =>
    gateway.ask('POST /v3/chat/completions', { model: MODEL, messages, ...body }, { key: API_KEY });

  it.each([[429], [503], [529]])('with %i is asked again then, and not before', async (status) => {
    const arrivals = refusesOnce(status, '2');
    const { status: got, headers } = await chat();
    expect([got, headers.get('x-causeway-attempts')]).toEqual([
      200,
      `${MODEL}:${status}, ${MODEL}:ok`,
    ]);
    // Timers may fire a millisecond early.
    expect(arrivals[1]! - arrivals[0]!).toBeGreaterThanOrEqual(1_990);
  });

  it('serves every request, however often it has to be asked again', async () => {
    for (let request = 0; request < 12; request++) {
      // Without a time, which would be waited for: it is asked again within a quarter of a second.
      upstream.refusesOnce(429, {}, COMPLETION);
      expect((await chat()).headers.get('x-causeway-attempts')).toBe(`${MODEL}:429, ${MODEL}:ok`);
    }
  });

  it('may say so as a date', async () => {
    // Such a date has whole seconds.
    const date = Math.ceil(Date.now() / 1_000 + 2) * 1_000;
    const [startedAt, dueInMs] = [performance.now(), date - Date.now()];
    const arrivals = refusesOnce(503, new Date(date).toUTCString());
    expect((await chat()).status).toBe(200);
    // Without the date it would come within half a second.
    expect(arrivals[1]! - startedAt).toBeGreaterThanOrEqual(dueInMs - 10);
  });

  it.each([429, 503])('may say so in the body of a %i, as Google does', async (status) => {
    const arrivals = refusesAsGoogle(status, '1.5s');
    const { status: got, headers } = await chat({ model: GEMINI });
    expect([got, headers.get('x-causeway-attempts')]).toEqual([
      200,
      `${GEMINI}:${status}, ${GEMINI}:ok`,
    ]);
    expect(arrivals[1]! - arrivals[0]!).toBeGreaterThanOrEqual(1_490);
  });

  it('may say so in the first event of a stream, as Google does', async () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1.5s' }];
    const error = { code: 429, message: 'Slow down', status: 'RESOURCE_EXHAUSTED', details };
    const arrivals: number[] = [];
    upstream.answers((response) => {
      arrivals.push(performance.now());
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`data: ${JSON.stringify(arrivals.length < 2 ? { error } : CANDIDATE)}\n\n`);
    });
    const body = { model: GEMINI, messages, stream: true };
    const reply = await gateway.begin('POST /v3/chat/completions', body, { key: API_KEY });
    expect(await reply.text()).toContain('"content":"Hi"');
    expect(arrivals[1]! - arrivals[0]!).toBeGreaterThanOrEqual(1_490);
  });

  it.each([
    ['whole', MODEL, {}, false],
    ['whole, translated', GEMINI, {}, false],
    ['in a stream', MODEL, { stream: true }, true],
    ['in a stream, translated', GEMINI, { stream: true }, true],
    ['whole in place of a stream', MODEL, { stream: true }, false],
  ])(
    'may say so in the head of a 200 whose body is an error (%s)',
    async (_, model, more, isEvent) => {
      let calls = 0;
      upstream.answers((response) => {
        calls += 1;
        const type = isEvent ? 'text/event-stream' : 'application/json';
        response.writeHead(200, { 'content-type': type, 'retry-after': '34' });
        const error = { code: 429, message: 'Slow down', status: 'RESOURCE_EXHAUSTED' };
        response.end(
          isEvent ? `data: ${JSON.stringify({ error })}\n\n` : JSON.stringify({ error }),
        );
      });
      const { status, headers } = await chat({ model, ...more });
      expect([status, headers.get('retry-after'), calls]).toEqual([429, '34', 1]);
    },
  );

  it.each([
    ['says never', 429, { 'x-should-retry': 'false', 'retry-after': '0' }, undefined, 429],
    ['is without money', 429, {}, { error: { message: 'x', code: 'insufficient_quota' } }, 429],
    ['says that by a 402', 402, {}, { error: { message: 'Insufficient Balance' } }, 502],
  ])('is asked once where it %s', async (_, refused, headers, refusal, told) => {
    const arrivals = upstream.refusesOnce(refused, headers, COMPLETION, refusal);
    const answer = await chat();
    expect(answer.headers.get('x-causeway-attempts')).toBe(`${MODEL}:${refused}`);
    expect([answer.status, arrivals.length]).toEqual([told, 1]);
    // Nor are SDKs to ask again.
    expect(answer.headers.get('x-should-retry')).toBe('false');
  });

  it('too late in the body has the caller told', async () => {
    const arrivals = refusesAsGoogle(429, '34.4s');
    const { status, headers } = await chat({ model: GEMINI });
    expect([status, headers.get('retry-after'), arrivals.length]).toEqual([429, '35', 1]);
  });

  it('too late for the caller is not waited for', async () => {
    const arrivals = refusesOnce(429, '7');
    const { status, headers } = await chat();
    expect([status, headers.get('retry-after'), arrivals.length]).toEqual([429, '7', 1]);
  });

  it('is not waited for where another model can serve', async () => {
    const arrivals = refusesOnce(429, '3');
    const { headers } = await chat({ fallbacks: [OTHER] });
    expect(headers.get('x-causeway-model')).toBe(OTHER);
    expect(arrivals[1]! - arrivals[0]!).toBeLessThan(2_000);
  });

  describe('and has another place in the plan', () => {
    /** The model asks for so long at its first call, and another one fails; gives when each came. */
    const refusesWhileOthersFail = (retryAfter: string) => {
      const arrivals: [model: string, at: number][] = [];
      upstream.answers((response, { body }) => {
        const isFirst = arrivals.length === 0;
        arrivals.push([`openai/${body.model}`, performance.now()]);
        const isServed = !isFirst && arrivals.at(-1)![0] === MODEL;
        response.writeHead(isServed ? 200 : isFirst ? 429 : 500, {
          'content-type': 'application/json',
          ...(isFirst && { 'retry-after': retryAfter }),
        });
        response.end(isServed ? JSON.stringify(COMPLETION) : '{}');
      });
      return arrivals;
    };

    it.each([[[MODEL]], [[OTHER, MODEL]]])('is not asked there before: %j', async (fallbacks) => {
      const arrivals = refusesWhileOthersFail('2');
      const { status } = await chat({ fallbacks });
      expect([status, arrivals.map(([asked]) => asked)]).toEqual([200, [MODEL, ...fallbacks]]);
      expect(arrivals.at(-1)![1] - arrivals[0]![1]).toBeGreaterThanOrEqual(1_990);
    });

    it('is passed over where that would be too late', async () => {
      const arrivals = refusesWhileOthersFail('30');
      const { status, headers } = await chat({ fallbacks: [OTHER, MODEL] });
      expect([status, headers.get('retry-after'), arrivals.length]).toEqual([429, '30', 2]);
      const id = headers.get('x-request-id');
      const { body: row } = await gateway.ask(`GET /v3/admin/requests/${id}`);
      expect(row).toMatchObject({ status: 429, model: MODEL, provider: 'openai' });
    });

    it('is passed over where another model can serve', async () => {
      const arrivals = refusesOnce(429, '3');
      const { headers } = await chat({ fallbacks: [MODEL, OTHER] });
      expect(headers.get('x-causeway-attempts')).toBe(`${MODEL}:429, ${OTHER}:ok`);
      expect(arrivals[1]! - arrivals[0]!).toBeLessThan(2_000);
    });
  });

  it('is not asked again for a caller who has left meanwhile', async () => {
    const arrivals = refusesOnce(429, '1');
    const leave = new AbortController();
    const left = gateway.begin(
      'POST /v3/chat/completions',
      { model: MODEL, messages },
      { key: API_KEY, signal: leave.signal },
    );
    await until(() => arrivals.length === 1);
    leave.abort();
    await expect(left).rejects.toThrow();
    await new Promise((later) => setTimeout(later, 1_400));
    expect(arrivals.length).toBe(1);
  });

  // Last, as it uses up the retries.
  it.each([429, 529])('leaves the caller to come soon where %i names no time', async (status) => {
    upstream.replies(status, { error: { message: 'busy' } });
    expect((await chat()).headers.get('retry-after')).toBe('1');
  });
});
