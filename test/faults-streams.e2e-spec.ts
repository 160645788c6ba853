import { describe, expect, it } from '@jest/globals';
import { setImmediate as nextRound } from 'node:timers/promises';
import { sseFrames } from '../src/upstream/sse-frames.js';
import { type Handler } from './support/fake-upstream.js';
import { GOOD_STREAM } from './support/fault-answers.js';
import { endingOf, expectNoSecrets } from './support/fault-endings.js';
import { PATIENCE_MS, useFaultyProvider } from './support/fault-gateway.js';
import { drip } from './support/fault-modes.js';
import { STREAM_FAULTS } from './support/fault-streams.js';

const provider = useFaultyProvider({ UPSTREAM_TOTAL_TIMEOUT_MS: String(2 * PATIENCE_MS) });

/** The same provider, asked in another format than its own. */
const CHAT = [
  '/v3/chat/completions',
  { model: 'anthropic/claude-haiku-4-5', messages: [{ role: 'user', content: 'x' }], stream: true },
] as const;

/** How a chat answers a good stream, a stream that broke off, and what never became one. */
const ENDS_WELL = /\n\ndata: \[DONE\]\n\n$/;
const BREAKS_OFF = /\n\ndata: \{"error":\{.*\}\}\n\n$/;
const IS_REFUSED = /^\{"error":\{.*\}\}$/;

/** Sends these bytes as a stream, in pieces of this size. */
function streams(bytes: Buffer, size = bytes.length): Handler {
  return async (response) => {
    response.socket?.setNoDelay(true);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let at = 0; at < bytes.length; at += size) {
      response.write(bytes.subarray(at, at + size));
      await nextRound();
    }
    response.end();
  };
}

/** What a caller gets of these bytes, without what is new in every answer. */
async function answerTo(bytes: Buffer | string, size?: number): Promise<string> {
  provider.upstream.answers(streams(Buffer.from(bytes), size));
  const { text, id } = await provider.ask('stream');
  return text.replaceAll(id, 'id');
}

/** The events in these pieces, one below the other. */
async function eventsIn(...pieces: readonly Buffer[]): Promise<string> {
  let events = '';
  for await (const batch of sseFrames(arriving(pieces))) {
    for (const { name, bytes } of batch) events += `${name}: ${bytes.toString()}\0`;
  }
  return events;
}

async function* arriving(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* pieces;
}

describe.each(STREAM_FAULTS)('UF-20 A stream that $name', ({ bytes, ending }) => {
  it('comes through, or ends as an error', async () => {
    provider.upstream.answers(streams(bytes));
    const reply = await provider.ask('stream');
    expect(endingOf(reply)).toBe(ending);
    expectNoSecrets(reply);
    await provider.settled();
    expect((await provider.booked(reply.id)).row.status).toBe(reply.status);
  });

  it('comes through, or ends as an error, in another format', async () => {
    provider.upstream.answers(streams(bytes));
    const reply = await provider.ask(CHAT);
    if (typeof ending === 'number') expect(reply.text).toMatch(IS_REFUSED);
    else expect(reply.text).toMatch(ending === 'answer' ? ENDS_WELL : BREAKS_OFF);
    expect(reply.text).not.toContain('internal_error');
    expectNoSecrets(reply);
  });

  it('UF-7 split: is the same in single bytes', async () => {
    expect(await answerTo(bytes, 1)).toBe(await answerTo(bytes));
  });

  it('UF-21 is cut into the same events wherever it is split', async () => {
    const whole = await eventsIn(bytes);
    for (let at = 1; at < bytes.length; at += 1) {
      expect(await eventsIn(bytes.subarray(0, at), bytes.subarray(at))).toBe(whole);
    }
  });
});

describe('UF-20 A stream', () => {
  it('means the same with CRLF as with LF', async () => {
    const text = await answerTo(GOOD_STREAM.replaceAll('\n', '\r\n'));
    expect(text.replaceAll('\r\n', '\n')).toBe(await answerTo(GOOD_STREAM));
  });

  it('keeps the events that nobody knows, and a beginning that comes twice', async () => {
    const unknown = 'event: of_the_future\ndata: {"type":"of_the_future","x":1}\n\n';
    expect(await answerTo(unknown + GOOD_STREAM)).toContain(unknown);
    const [start = ''] = GOOD_STREAM.split(/(?<=\n\n)/);
    expect((await answerTo(start + GOOD_STREAM)).match(/event: message_start/g)).toHaveLength(2);
  });
});

describe('UF-6 A provider that drips', () => {
  it.each([
    ['messages', 504],
    ['embeddings', 504],
    ['images', 504],
    ['stream', 'answer'],
  ] as const)('is cut at the total time limit, unless it streams (%s)', async (kind, ending) => {
    provider.upstream.answers(drip);
    const reply = await provider.ask(kind);
    expect(endingOf(reply)).toBe(ending);
    if (ending === 504) expect(reply.ms).toBeLessThan(2 * PATIENCE_MS + 1_000);
    await provider.settled();
  });
});
