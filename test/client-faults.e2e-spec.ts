import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { anthropic } from '../src/providers/anthropic/anthropic.js';
import { openai } from '../src/providers/openai/openai.js';
import {
  begin,
  good,
  goodText,
  isStream,
  KINDS,
  type Kind,
  streamEnd,
  streamStart,
  textBlock,
} from './support/fault-answers.js';
import { asking } from './support/fault-callers.js';
import { endingOf } from './support/fault-endings.js';
import { useFaultyProvider } from './support/fault-gateway.js';
import { until } from './support/until.js';

const provider = useFaultyProvider({
  UPSTREAM_FIRST_BYTE_TIMEOUT_MS: '10000',
  UPSTREAM_IDLE_TIMEOUT_MS: '10000',
});
const { upstream } = provider;

const [BLOCK_START = '', DELTA = '', BLOCK_STOP = ''] = textBlock('Hello').split(/(?<=\n\n)/);
const [MESSAGE_DELTA = ''] = streamEnd().split(/(?<=\n\n)/);
/** What the provider has sent when the caller leaves, and what the caller has seen of it. */
const MOMENTS: readonly (readonly [string, Kind, string, string])[] = [
  ...KINDS.map((kind) => ['before the head', kind, '', ''] as const),
  ['at the first byte', 'stream', streamStart(), 'message_start'],
  ['in the middle', 'stream', streamStart() + BLOCK_START + DELTA, 'Hello'],
  [
    'before the last event',
    'stream',
    streamStart() + BLOCK_START + DELTA + BLOCK_STOP + MESSAGE_DELTA,
    'content_block_stop',
  ],
  ['in the body', 'messages', '{', ''],
  ['in the body', 'embeddings', '{', ''],
  ['in the body', 'images', '{', ''],
];

describe.each(['cancel', 'drain'] as const)('CF-1 A caller who leaves a provider to %s', (rule) => {
  const usual = [anthropic.onDisconnect, openai.onDisconnect];
  beforeAll(() => {
    for (const each of [anthropic, openai]) Object.assign(each, { onDisconnect: rule });
  });
  afterAll(() => {
    Object.assign(anthropic, { onDisconnect: usual[0] });
    Object.assign(openai, { onDisconnect: usual[1] });
  });

  it.each(MOMENTS)('%s is charged once (%s)', async (_, kind, sent, seen) => {
    const { received, aborted } = upstream;
    const before = { received: received.length, aborted };
    const left = Promise.withResolvers<undefined>();
    upstream.answers(async (response, request) => {
      if (sent) {
        begin(response, request);
        response.write(sent);
      }
      await left.promise;
      if (rule === 'cancel') return;
      if (!sent) good(response, request);
      else response.end(goodText(request).slice(isStream(request) ? sent.length : 1));
    });
    const caller = asking(provider, kind);
    await until(() => received.length > before.received);
    if (seen) await caller.seen(seen);
    else await delay(50);
    caller.request.destroy();
    if (rule === 'cancel') {
      await until(() => upstream.aborted === before.aborted + 1, { seconds: 1 });
    } else {
      // Nothing tells outside that the gateway has noticed.
      await delay(500);
    }
    left.resolve(undefined);
    await provider.settled({ seconds: 2 });
    const { row, charges } = await provider.booked(caller.id);
    expect(row).toMatchObject({
      outcome: 'client_closed',
      estimated: rule === 'cancel' && !sent.includes(MESSAGE_DELTA),
    });
    expect(charges).toEqual([-row.cost]);
    expect(row.cost).toBeGreaterThan(0);
    expect([upstream.aborted - before.aborted, received.length - before.received]).toEqual([
      rule === 'cancel' ? 1 : 0,
      1,
    ]);
  });
});

describe('CF-2 Where a provider takes two connections', () => {
  const narrow = useFaultyProvider({ UPSTREAM_FIRST_BYTE_TIMEOUT_MS: '10000' });

  it('fifty callers who leave keep none of them', async () => {
    narrow.upstream.takes(2);
    narrow.upstream.answers((response, request) => {
      if (!isStream(request)) return;
      begin(response, request);
      response.write(streamStart());
    });
    for (let left = 0; left < 50; left += 2) {
      const kinds = [left, left + 1].map((at) => KINDS[at % KINDS.length]!);
      const callers = kinds.map((kind) => asking(narrow, kind));
      await until(() => narrow.upstream.received.length === left + 2);
      for (const { request } of callers) request.destroy();
      await until(() => narrow.upstream.open === 0);
    }
    narrow.upstream.answers(good);
    for (const kind of KINDS) expect(endingOf(await narrow.ask(kind))).toBe('answer');
    await narrow.settled({ seconds: 2 });
  });
});

describe('CF-2 Fifty callers who leave', () => {
  it('are in nobody’s way', async () => {
    const before = upstream.received.length;
    upstream.answers((response, request) => {
      if (!isStream(request)) return;
      begin(response, request);
      response.write(streamStart());
    });
    const callers = Array.from({ length: 50 }, (_, index) =>
      asking(provider, KINDS[index % KINDS.length]!),
    );
    await until(() => upstream.received.length === before + callers.length);
    upstream.answers(good);
    for (const { request } of callers) request.destroy();
    const replies = await Promise.all(KINDS.map((kind) => provider.ask(kind)));
    expect(replies.map(endingOf)).toEqual(KINDS.map(() => 'answer'));
    for (const { ms } of replies) expect(ms).toBeLessThan(3_000);
    await provider.settled({ seconds: 2 });
  });
});
