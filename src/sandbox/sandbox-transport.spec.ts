import { describe, expect, it } from '@jest/globals';
import { countRounds } from '../../test/support/rounds.js';
import { type IncomingAnswer } from '../providers/transport.js';
import { sandboxTransport, sandboxWith } from './sandbox-transport.js';

const MESSAGES = '/anthropic/v1/messages';
const CHAT = '/v1/chat/completions';
const messages = [{ role: 'user', content: 'hello there' }];

describe('the sandbox in place of the network', () => {
  it.each([
    [MESSAGES, { messages }, /"You said: hello there"/],
    [`${MESSAGES}/count_tokens`, { messages }, /^{"input_tokens":3}$/],
    [CHAT, { messages }, /"You said: hello there"/],
    ['/v1/embeddings', { input: 'a' }, /"object":"embedding"/],
    ['/v1/images/generations', { prompt: 'a', size: '8x8' }, /"b64_json":"iVBOR/],
  ])('serves %s, whatever stands before it', async (path, body, expected) => {
    const answer = await post(path, { model: 'any/name', ...body });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(await textOf(answer)).toMatch(expected);
  });

  it("gives every answer an id, in the format's own header", async () => {
    const ids = [
      (await post(MESSAGES, { model: 'echo', messages })).headers['request-id'],
      (await post(MESSAGES, { model: 'error-500' })).headers['request-id'],
      (await post(CHAT, { model: 'echo', messages })).headers['x-request-id'],
    ];
    for (const id of ids) expect(id).toMatch(/^req_\w{24,}$/);
    expect(new Set(ids).size).toBe(3);
  });

  it('takes the time from its clock', async () => {
    const waits: number[] = [];
    const transport = sandboxWith({
      now: () => 1_700_000_000_999,
      sleep: (ms) => Promise.resolve(void waits.push(ms)),
    });
    for (const model of ['slow-250', 'slow-99999999999', 'echo']) {
      const answer = await post(CHAT, { model, messages }, never(), transport);
      expect(JSON.parse(await textOf(answer))).toMatchObject({ model, created: 1_700_000_000 });
    }
    expect(waits).toEqual([250, 600_000]);
  });

  it('hands out a long answer in pieces', async () => {
    const long = [{ role: 'user', content: 'x'.repeat(200_000) }];
    const answer = await post(CHAT, { model: 'echo', messages: long, max_tokens: 100_000 });
    const chunks = await allOf(answer.body);
    expect(chunks.length).toBeGreaterThan(2);
    expect(Buffer.concat(chunks).toString()).toContain('x'.repeat(200_000));
  });
});

it.each([
  ['a long stream', MESSAGES, { messages, stream: true }],
  ['many vectors', '/v1/embeddings', { input: Array(500).fill('a') }],
])('lets others come in during %s', async (_name, path, body) => {
  const answer = await post(path, { model: 'echo', ...body });
  const rounds = countRounds();
  const events = await allOf(answer.body);
  expect(events.length).toBeGreaterThan(2);
  expect(rounds()).toBeGreaterThanOrEqual(events.length - 1);
});

it('lets others come in while it reads a long body', async () => {
  const long = [{ role: 'user', content: '"\n\\'.repeat(2_000_000) }];
  const body = JSON.stringify({ model: 'echo', messages: long, max_tokens: 3 });
  const rounds = countRounds();
  const answer = await post(CHAT, body);
  expect(rounds()).toBeGreaterThan(2);
  expect(await textOf(answer)).toContain('You said: ');
  const deep = `{"model":"echo","x":"${'x'.repeat(1 << 20)}","messages":${'['.repeat(200)}`;
  expect((await post(CHAT, deep + ']'.repeat(200) + '}')).status).toBe(400);
});

describe('errors', () => {
  it.each([
    [MESSAGES, { type: 'error', error: { type: 'rate_limit_error' } }],
    [`${MESSAGES}/count_tokens`, { type: 'error', error: { type: 'rate_limit_error' } }],
    [CHAT, { error: { code: 'rate_limit_exceeded' } }],
    ['/v1/embeddings', { error: { code: 'rate_limit_exceeded' } }],
    ['/v1/images/generations', { error: { code: 'rate_limit_exceeded' } }],
    ['/v1/images/edits', { error: { code: 'rate_limit_exceeded' } }],
  ])('are answered by %s as its format has them', async (path, body) => {
    const answer = await post(path, { model: 'error-429', stream: true });
    expect(answer.status).toBe(429);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'retry-after': '1',
    });
    expect(JSON.parse(await textOf(answer))).toMatchObject(body);
    const other = await post(path, { model: 'error-529' });
    expect(other.status).toBe(529);
    expect(other.headers).not.toHaveProperty('retry-after');
  });

  it.each(['error-200', 'error-600', 'error-', 'xerror-500', 'slow-', 'slow-x'])(
    'takes %s for the name of a model',
    async (model) => {
      expect((await post(CHAT, { model, messages })).status).toBe(200);
    },
  );

  it.each([
    ['no JSON', CHAT, 'x', 400, 'invalid_json'],
    ['no object', CHAT, '[]', 400, 'invalid_json'],
    ['no body', CHAT, '', 400, 'invalid_json'],
    ['nesting without an end', CHAT, '['.repeat(100_000), 400, 'invalid_json'],
    ['no model', CHAT, '{}', 400, 'missing_required_parameter'],
    ['a field out of range', CHAT, '{"model":"m","messages":[],"n":0}', 400, 'invalid_value'],
    ['an address that is not served', '/v1/audio/speech', '{"model":"m"}', 404, 'unknown_url'],
  ])('refuses %s', async (_name, path, body, status, code) => {
    const answer = await post(path, body);
    expect(answer.status).toBe(status);
    expect(JSON.parse(await textOf(answer))).toMatchObject({ error: { code } });
  });
});

describe('faults', () => {
  it.each([MESSAGES, CHAT])('cuts a stream of %s in the middle', async (path) => {
    const whole = await textOf(await post(path, { model: 'echo', messages, stream: true }));
    const answer = await post(path, { model: 'cut-stream', messages, stream: true });
    expect(answer.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    const text = await textOf(answer);
    expect(text.length).toBeGreaterThan(whole.length / 4);
    expect(text.length).toBeLessThan(whole.length);
    expect(text).toContain('\n\n');
    expect(text).not.toMatch(/message_stop|message_delta|finish_reason":"|\[DONE\]/);
  });

  it('cuts JSON in the middle', async () => {
    const answer = await post(MESSAGES, { model: 'cut-stream', messages });
    const text = await textOf(answer);
    expect(answer.status).toBe(200);
    expect(text).toMatch(/^{"id":"msg_/);
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
  });

  it.each([MESSAGES, CHAT])('stalls a stream of %s after its first event', async (path) => {
    const abort = new AbortController();
    const answer = await post(path, { model: 'stall', messages, stream: true }, abort.signal);
    const body = answer.body[Symbol.asyncIterator]();
    const first = await body.next();
    expect(String(first.value)).toMatch(/message_start|"role":"assistant"/);
    const next = body.next();
    expect(await Promise.race([next, wait(50, 'silent')])).toBe('silent');
    abort.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
  });

  it.each([
    ['stall', MESSAGES, { messages }],
    ['stall', '/v1/embeddings', { input: 'a' }],
    ['slow-600000', CHAT, { messages, stream: true }],
    ['slow-600000', '/v1/images/generations', { prompt: 'a' }],
  ])('lets %s of %s wait until the call is aborted, and no longer', async (model, path, rest) => {
    const abort = new AbortController();
    const timers = activeTimers();
    const calls = Array.from({ length: 20 }, () => post(path, { model, ...rest }, abort.signal));
    expect(await Promise.race([...calls, wait(50, 'silent')])).toBe('silent');
    abort.abort(new Error('enough'));
    for (const call of calls) await expect(call).rejects.toThrow('enough');
    // The test runner has timers of its own, so only many are a leak.
    expect(activeTimers()).toBeLessThan(timers + 10);
  });

  it('shows nothing of a stalled image stream, whose first event is the whole answer', async () => {
    const abort = new AbortController();
    const body = { model: 'stall', prompt: 'a', size: '8x8', stream: true };
    const answer = await post('/v1/images/generations', body, abort.signal);
    const next = answer.body[Symbol.asyncIterator]().next();
    expect(await Promise.race([next, wait(50, 'silent')])).toBe('silent');
    abort.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
  });

  it('waits as long as it was told', async () => {
    const started = performance.now();
    await post(CHAT, { model: 'slow-120', messages });
    expect(performance.now() - started).toBeGreaterThan(110);
  });
});

describe('aborting', () => {
  it('refuses to begin', async () => {
    const call = post(CHAT, { model: 'echo', messages }, AbortSignal.abort(new Error('gone')));
    await expect(call).rejects.toThrow('gone');
  });

  it.each([MESSAGES, CHAT])('ends a stream of %s between two events', async (path) => {
    const abort = new AbortController();
    const answer = await post(path, { model: 'echo', messages, stream: true }, abort.signal);
    const body = answer.body[Symbol.asyncIterator]();
    await body.next();
    abort.abort(new Error('enough'));
    await expect(body.next()).rejects.toThrow('enough');
  });

  it('stops when the reader leaves', async () => {
    const answer = await post(MESSAGES, { model: 'echo', messages, stream: true });
    const body = answer.body[Symbol.asyncIterator]();
    await body.next();
    await body.return?.();
    expect(await body.next()).toEqual({ done: true, value: undefined });
  });
});

function post(
  path: string,
  body: object | string,
  signal = never(),
  transport = sandboxTransport,
): Promise<IncomingAnswer> {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const half = Math.floor(bytes.length / 2);
  const request = {
    method: 'POST' as const,
    url: new URL(path, 'http://sandbox.invalid'),
    headers: { 'content-type': 'application/json' },
    body: [bytes.subarray(0, half), bytes.subarray(half)],
  };
  return transport(request, { signal, stream: false });
}

async function textOf({ body }: IncomingAnswer): Promise<string> {
  return Buffer.concat(await allOf(body)).toString();
}

function never(): AbortSignal {
  return new AbortController().signal;
}

function wait<T>(ms: number, value: T): Promise<T> {
  return new Promise((resolve) => setTimeout(resolve, ms, value));
}

function activeTimers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}

async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
