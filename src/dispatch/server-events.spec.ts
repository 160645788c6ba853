import { describe, expect, it } from '@jest/globals';
import { countRounds } from '../../test/support/rounds.js';
import { type ProviderConnection, type RawEvent } from '../providers/provider.js';
import { Secrets } from '../upstream/secrets.js';
import { framed, passedOn, serverEvents } from './server-events.js';

const connection = { baseUrl: new URL('http://10.0.0.5/'), apiKey: 'sk-some-key', place: {} };
const secrets = new Secrets(connection as unknown as ProviderConnection);

const event = (data: string, name?: string): RawEvent => {
  const head = name === undefined ? '' : `event: ${name}\n`;
  return { name, data, bytes: Buffer.from(`${head}data: ${data}\n\n`) };
};
const whole = event('{"a":1}', 'a');
const cut = event('{"a":', 'a');

async function* arriving(batches: readonly RawEvent[][]): AsyncGenerator<RawEvent[]> {
  for (const batch of batches) yield await Promise.resolve(batch);
}

/** What comes through of these, and how it ends. */
async function sent(...batches: RawEvent[][]): Promise<{ text: string; error: unknown }> {
  let text = '';
  try {
    for await (const events of passedOn(arriving(batches), secrets, 'p')) {
      for (const { bytes } of events) text += bytes.toString();
    }
  } catch (error) {
    return { text, error };
  }
  return { text, error: undefined };
}

describe('serverEvents', () => {
  it('tells a codec of no event that says nothing', async () => {
    const nothing = { name: undefined, data: '', bytes: Buffer.from('retry: 3000\n\n') };
    const told = [];
    for await (const one of serverEvents(arriving([[nothing, whole], [nothing]]), secrets))
      told.push(one);
    expect(told).toEqual([whole]);
  });
});

describe('passedOn', () => {
  it('brings data of several lines into one, in which others can write', async () => {
    const bytes = Buffer.from('event: a\ndata: {"a":\ndata: 1}\n\n');
    const { text } = await sent([{ name: 'a', data: '{"a":\n1}', bytes }, whole]);
    expect(text).toBe(`event: a\ndata: {"a": 1}\n\n${whole.bytes.toString()}`);
  });

  it.each([
    ['behind others of its piece', [[whole, cut, whole]]],
    ['in a piece of its own', [[whole], [cut], [whole]]],
    ['first in its piece', [[whole], [cut, whole]]],
  ])('ends at an event that is cut, %s', async (_, batches) => {
    const { text, error } = await sent(...batches);
    expect(text).toBe(whole.bytes.toString());
    expect(error).toMatchObject({ status: 502, code: 'upstream_error' });
  });

  it('lets pass what is no JSON at all, byte for byte', async () => {
    const events = ['[DONE]', '', 'alive', 'null', ' {"a": 1}'].map((data) => event(data));
    const { text, error } = await sent(events, [whole]);
    expect(text).toBe([...events, whole].map(({ bytes }) => bytes.toString()).join(''));
    expect(error).toBeUndefined();
  });

  it('hides how the provider was called where it tells of an error', async () => {
    const { text } = await sent([
      event('{"error":{"message":"sk-some-key at 10.0.0.5"}}', 'error'),
    ]);
    expect(text).toBe('event: error\ndata: {"error":{"message":"[key] at [host]"}}\n\n');
  });
});

describe('framed', () => {
  const error = (type: string) => ({ type: 'error', error: { type, message: 'Node 7' } });
  const message = 'The provider p is overloaded.';
  const told = async (...events: RawEvent[]) => {
    const all = [];
    const origin = { provider: 'p', requestId: 'req_1' };
    for await (const batch of framed(arrivingSingly(events), origin)) all.push(...batch);
    return all;
  };

  it.each([
    ['overloaded_error', message],
    ['api_error', 'The provider p failed with status 502.'],
    ['rate_limit_error', 'Node 7'],
  ])('tells %s as in place of a whole answer', async (type, expected) => {
    const [made] = await told(event(JSON.stringify(error(type)), 'error'));
    expect(JSON.parse(made!.data)).toEqual({
      type: 'error',
      error: { type, message: expected },
      request_id: 'req_1',
    });
  });

  it('lets others have their turns while many events come of one', async () => {
    const rounds = countRounds();
    await told(...Array.from({ length: 10_000 }, () => whole));
    expect(rounds()).toBeGreaterThan(20);
  });

  it('keeps what was spent, and every other event as it is', async () => {
    const spent = { inputTokens: 7 } as RawEvent['spent'];
    const failed = { ...event(JSON.stringify(error('overloaded_error')), 'error'), spent };
    const events = await told(whole, failed);
    expect(events[0]).toEqual(whole);
    expect(events[1]).toMatchObject({ spent });
  });

  it.each([
    ['has no name', event(JSON.stringify(error('api_error')))],
    ['says nothing', event('{}', 'error')],
    ['is no JSON', event('Node 7', 'error')],
    ['is empty', event('', 'error')],
  ])('tells one that %s', async (_, failed) => {
    const [made] = await told(failed);
    expect(made!.name).toBe('error');
    expect(JSON.parse(made!.data)).toEqual({
      type: 'error',
      error: { type: 'api_error', message: 'The provider p failed with status 502.' },
      request_id: 'req_1',
    });
  });
});

async function* arrivingSingly(events: readonly RawEvent[]): AsyncGenerator<RawEvent> {
  for (const one of events) yield await Promise.resolve(one);
}
