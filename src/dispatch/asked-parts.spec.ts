import { describe, expect, it } from '@jest/globals';
import { type UpstreamCall, type UpstreamReply } from '../providers/provider.js';
import { AskedParts } from './asked-parts.js';

const CALLS = ['a', 'b', 'c', 'd', 'e', 'f'].map((path): UpstreamCall => ({
  path,
  headers: {},
  body: { json: {} },
  framing: 'none',
}));
const reply = (text: string): UpstreamReply => ({
  ...{ status: 200, headers: {}, bytes: Buffer.from(text) },
  json: () => text,
});

/** Notes what is asked for; a part in `failing` fails as often as it says, one in `held` waits. */
class Provider {
  readonly asked: string[] = [];
  readonly failing = new Map<string, number>();
  readonly held = new Map<string, Promise<undefined>>();

  readonly ask = async ({ path }: UpstreamCall): Promise<UpstreamReply> => {
    this.asked.push(path);
    await this.held.get(path);
    const failures = this.failing.get(path) ?? 0;
    this.failing.set(path, failures - 1);
    if (failures > 0) throw new Error(`busy with ${path}`);
    return reply(path);
  };
}

const texts = (replies: readonly UpstreamReply[]) => replies.map(({ bytes }) => String(bytes));

describe('AskedParts', () => {
  it('brings all replies in the order of the calls, however they come', async () => {
    const provider = new Provider();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    provider.held.set('a', promise);
    const replies = new AskedParts(CALLS).all(provider.ask);
    setImmediate(resolve, undefined);
    expect(texts(await replies)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('asks for no more when one has failed, and then only for what is missing', async () => {
    const provider = new Provider();
    const parts = new AskedParts(CALLS);
    provider.failing.set('b', 1);
    await expect(parts.all(provider.ask)).rejects.toThrow('busy with b');
    const first = [...provider.asked];
    expect(first).not.toContain('f');

    expect(texts(await parts.all(provider.ask))).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    const again = provider.asked.slice(first.length);
    expect(again.toSorted()).toEqual(
      ['b', ...['a', 'c', 'd', 'e', 'f'].filter((part) => !first.includes(part))].toSorted(),
    );
  });

  it('waits for what an earlier try has asked for and not got yet', async () => {
    const provider = new Provider();
    const parts = new AskedParts(CALLS);
    const { promise, resolve } = Promise.withResolvers<undefined>();
    provider.held.set('c', promise);
    provider.failing.set('a', 1);
    await expect(parts.all(provider.ask)).rejects.toThrow('busy with a');
    const again = parts.all(provider.ask);
    setImmediate(resolve, undefined);
    expect(texts(await again)).toHaveLength(CALLS.length);
    expect(provider.asked.filter((path) => path === 'c')).toHaveLength(1);
  });

  it('waits for what may have been billed, whichever deployment was asked for it', async () => {
    const provider = new Provider();
    const parts = new AskedParts(CALLS);
    const { promise, resolve } = Promise.withResolvers<undefined>();
    provider.held.set('c', promise);
    provider.failing.set('a', 1).set('c', 1);
    const [one, other] = ['a', 'b'].map((name) => ({
      ...{ baseUrl: new URL(`https://${name}.example`), apiKey: 'key', weight: 1 },
    }));
    await expect(parts.all(provider.ask, undefined, one)).rejects.toThrow('busy with a');
    const again = parts.all(provider.ask, undefined, other);
    setImmediate(resolve, undefined);
    await expect(again).rejects.toThrow('busy with c');
    expect(provider.asked.filter((path) => path === 'c')).toHaveLength(1);
  });

  it('lets each side of a hedged call ask for itself', async () => {
    const provider = new Provider();
    const parts = new AskedParts(CALLS);
    await parts.all(provider.ask, 'first');
    await parts.all(provider.ask, 'second');
    expect(provider.asked).toHaveLength(2 * CALLS.length);
  });
});
