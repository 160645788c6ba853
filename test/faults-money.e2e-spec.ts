import { describe, expect, it } from '@jest/globals';
import { type Handler, type Received } from './support/fake-upstream.js';
import {
  begin,
  good,
  goodObject,
  isStream,
  type Kind,
  KINDS,
  streamEnd,
  streamStart,
  textBlock,
} from './support/fault-answers.js';
import { endingOf } from './support/fault-endings.js';
import { useFaultyProvider } from './support/fault-gateway.js';
import { error, extraBytes, flaky, reporting, sends } from './support/fault-modes.js';

// A second try begins only while the caller still may wait for it.
const provider = useFaultyProvider({ UPSTREAM_FIRST_BYTE_TIMEOUT_MS: '10000' });

/** Every provider's names for its counts, all with this one. */
const counts = (count: number) => ({
  ...{ input_tokens: count, output_tokens: count },
  ...{ prompt_tokens: count, total_tokens: count },
});

describe.each([
  ['nothing', undefined],
  ['less than nothing', counts(-10)],
  ['more than there is', counts(1e15)],
])('UF-19 A provider that reports %s', (_, usage) => {
  const streamed: Handler = (response, request) => {
    begin(response, request);
    response.end(streamStart(usage ?? {}) + textBlock('ok') + streamEnd(usage));
  };

  it.each(KINDS)('is paid by our own count, which is marked (%s)', async (kind) => {
    provider.upstream.answers(kind === 'stream' ? streamed : reporting(usage));
    const reply = await provider.ask(kind);
    expect(endingOf(reply)).toBe('answer');
    const { row, charges } = await provider.booked(reply.id);
    expect(row).toMatchObject({ outcome: 'ok', estimated: true });
    expect(row.cost).toBeGreaterThan(0);
    expect(row.cost).toBeLessThan(1);
    expect(charges).toEqual([-row.cost]);
    await provider.settled();
  });
});

describe('UF-13 An error dressed as success', () => {
  it.each(['messages', 'stream'] as const)('lets another model answer (%s)', async (kind) => {
    const failed = sends(error('overloaded_error', 'Busy'));
    provider.upstream.answers((response, request) =>
      (request.body.model.includes('haiku') ? failed : good)(response, request),
    );
    const fallback = 'anthropic/claude-sonnet-4-5';
    const reply = await provider.ask(kind, { fallbacks: [fallback] });
    expect(endingOf(reply)).toBe('answer');
    expect(reply.headers.get('x-causeway-attempts')).toBe(
      `anthropic/claude-haiku-4-5:529, ${fallback}:ok`,
    );
    const { row, charges } = await provider.booked(reply.id);
    expect([row.model, charges]).toEqual([fallback, [-row.cost]]);
  });
});

describe('UF-3 A provider that breaks off a translated stream', () => {
  it.each(['/v3/v1/messages', '/v3/chat/completions'])('is paid nothing on %s', async (path) => {
    provider.upstream.answers((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const choices = [{ index: 0, delta: { content: 'A few words.' }, finish_reason: null }];
      response.write(`data: ${JSON.stringify({ id: 'c', choices })}\n\n`, () => response.destroy());
    });
    const messages = [{ role: 'user', content: 'x' }];
    const fields = { model: 'openai/gpt-4o-mini', messages, max_tokens: 9, stream: true };
    const { row, charges } = await provider.booked((await provider.ask([path, fields])).id);
    expect([row.outcome, row.cost, charges]).toEqual(['error', 0, []]);
  });
});

describe('UF-23 A provider that fails twice and then works', () => {
  it.each(KINDS)('is paid once (%s)', async (kind) => {
    const before = provider.upstream.received.length;
    provider.upstream.answers(flaky(2));
    const reply = await provider.ask(kind);
    expect(endingOf(reply)).toBe('answer');
    expect(provider.upstream.received.length - before).toBe(3);
    const { row, charges } = await provider.booked(reply.id);
    expect(row.attempts.map(({ status }: { status: number }) => status)).toEqual([503, 503, 200]);
    expect(charges).toEqual([-row.cost]);
    await provider.settled();
  });
});

/** How a caller asks for a number, and where it stands in the answer. */
const SAID: Readonly<Record<Kind, readonly [(number: number) => object, RegExp]>> = {
  messages: [asMessage, /"text":"(\d+)"/],
  stream: [asMessage, /"text":"(\d+)"/],
  embeddings: [(number) => ({ input: String(number) }), /"embedding":\[(\d+)\]/],
  images: [(number) => ({ prompt: String(number) }), /"revised_prompt":"(\d+)"/],
};

function asMessage(number: number): object {
  return { messages: [{ role: 'user', content: String(number) }] };
}

/** A good answer that says this number. */
function saying(number: number, request: Received): string {
  if (isStream(request)) return streamStart() + textBlock(String(number)) + streamEnd();
  const answer = goodObject(request);
  if ('content' in answer) answer.content = [{ type: 'text', text: String(number) }];
  else if (request.path.includes('images')) {
    answer.data = [{ b64_json: 'iVBORw0KGgoAAAANSUhEUg==', revised_prompt: String(number) }];
  } else answer.data = [{ object: 'embedding', index: 0, embedding: [number] }];
  return JSON.stringify(answer);
}

describe('UF-22 Bytes behind an answer', () => {
  const UNASKED = 666_666;
  const askedIn = ({ body }: Received) =>
    Number(body.input ?? body.prompt ?? body.messages[0].content);
  /** Says the number that it is asked for, and another one. */
  const chatty: Handler = (response, request) => {
    const [asked, unasked] = [askedIn(request), UNASKED].map((one) => saying(one, request));
    return extraBytes(asked!, unasked!)(response, request);
  };
  const say = async (kind: Kind, number: number) => {
    const [fields, pattern] = SAID[kind];
    const reply = await provider.ask(kind, fields(number));
    return reply.status === 200 ? Number(pattern.exec(reply.text)?.[1]) : reply.status;
  };

  it.each(KINDS)('are nobody else’s answer (%s)', async (kind) => {
    provider.upstream.answers(chatty);
    let answered = 0;
    for (let round = 0; round < 10; round++) {
      const numbers = Array.from({ length: 5 }, (_, index) => 1_000 + 10 * round + index);
      const said = await Promise.all(numbers.map((number) => say(kind, number)));
      for (const [index, number] of numbers.entries()) {
        expect([number, 502]).toContain(said[index]);
        if (said[index] === number) answered += 1;
      }
    }
    expect(answered).toBeGreaterThan(0);
    provider.upstream.answers((response, request) => {
      begin(response, request);
      response.end(saying(askedIn(request), request));
    });
    const numbers = [1, 2, 3];
    expect(await Promise.all(numbers.map((number) => say(kind, number)))).toEqual(numbers);
    await provider.settled();
  });
});

describe('UF-24 A provider that always fails', () => {
  it.each(KINDS)('gets a fifth more requests at most (%s)', async (kind) => {
    const before = provider.upstream.received.length;
    provider.upstream.answers(sends(error('api_error', 'No'), 503));
    const requests = 100;
    const replies = await Promise.all(Array.from({ length: requests }, () => provider.ask(kind)));
    expect(replies.map(endingOf)).toEqual(replies.map(() => 502));
    const asked = provider.upstream.received.length - before;
    expect(asked).toBeGreaterThan(requests);
    expect(asked).toBeLessThanOrEqual(1.2 * requests);
    await provider.settled();
  });
});
