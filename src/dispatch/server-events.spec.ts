import { describe, expect, it } from '@jest/globals';
import { type ProviderConnection, type RawEvent } from '../providers/provider.js';
import { Secrets } from '../upstream/secrets.js';
import { passedOn } from './server-events.js';

const connection = { baseUrl: new URL('http://10.0.0.5/'), apiKey: 'sk-some-key' };
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

describe('passedOn', () => {
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
