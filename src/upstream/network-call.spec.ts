import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FullListener } from '../../test/support/full-listener.js';
import { until } from '../../test/support/until.js';
import { NetworkTransport } from './network-transport.js';

const TOTAL_MS = 500;
const TIMEOUTS = { connectMs: 20_000, firstByteMs: 20_000, idleMs: 20_000, totalMs: 20_000 };
/** Long before any time limit but the one that is meant. */
const AT_ONCE_MS = 5_000;

describe('a call that waits for its connection', () => {
  const reason = new Error('the caller left');
  let provider: FullListener;
  let transport: NetworkTransport;

  beforeEach(async () => {
    provider = await FullListener.start();
    transport = new NetworkTransport(TIMEOUTS);
  });
  afterEach(async () => {
    await transport.close();
    await provider.close();
  });

  const send = (signal = new AbortController().signal, via = transport) =>
    via.send(
      { method: 'POST', url: new URL(provider.url), headers: {}, body: [Buffer.from('{}')] },
      { signal, stream: via === transport },
    );

  it('is cut at once by its signal', async () => {
    const leaving = new AbortController();
    const sentAt = performance.now();
    setTimeout(() => {
      leaving.abort(reason);
    }, 50);
    await expect(send(leaving.signal)).rejects.toBe(reason);
    expect(performance.now() - sentAt).toBeLessThan(AT_ONCE_MS);
  });

  it('is none when its signal was aborted before', async () => {
    await expect(send(AbortSignal.abort(reason))).rejects.toBe(reason);
    provider.wake();
    await send();
    await until(() => provider.seen.requests === 1);
    expect(provider.seen.connections).toBe(provider.own + 1);
  });

  it('is over when its time is over', async () => {
    const hurried = new NetworkTransport({ ...TIMEOUTS, totalMs: TOTAL_MS });
    const sentAt = performance.now();
    await expect(send(undefined, hurried)).rejects.toMatchObject({
      status: 504,
      code: 'upstream_timeout',
      details: { upstream: { status: 0, unsent: true } },
    });
    expect(performance.now() - sentAt).toBeLessThan(AT_ONCE_MS);
    await hurried.close();
  });

  it('is not sent on the connection that comes when it was cut', async () => {
    const leaving = new AbortController();
    const cut = send(leaving.signal);
    const kept = send();
    leaving.abort(reason);
    await expect(cut).rejects.toBe(reason);
    provider.wake();
    expect((await kept).status).toBe(200);
    await until(() => provider.seen.connections === provider.own + 2 && provider.seen.left === 1);
    await until(() => provider.seen.requests > 0);
    expect(provider.seen.requests).toBe(1);
  });
});
