import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { FakeUpstream } from '../../test/support/fake-upstream.js';
import { FullListener } from '../../test/support/full-listener.js';
import { until } from '../../test/support/until.js';
import { type OutgoingBody } from '../providers/transport.js';
import { NetworkTransport } from './network-transport.js';
import { readReply } from './read-reply.js';

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

  it('is over when there is no connection in time, and not much later', async () => {
    const connectMs = 150;
    const hurried = new NetworkTransport({ ...TIMEOUTS, connectMs });
    const took: number[] = [];
    for (let times = 0; times < 3; times += 1) {
      const sentAt = performance.now();
      await expect(send(undefined, hurried)).rejects.toMatchObject({
        status: 504,
        // Another thing to look into than a model that is slow.
        details: {
          upstream: { status: 0, unsent: true },
          cause: new Error('no connection in time'),
        },
      });
      took.push(performance.now() - sentAt);
    }
    // Undici's own timers are looked at twice a second; any one time the machine may be busy.
    expect(Math.min(...took)).toBeGreaterThan(connectMs - 5);
    expect(Math.min(...took)).toBeLessThan(connectMs + 300);
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

describe('the time to the head of an answer', () => {
  const provider = new FakeUpstream();
  const transport = new NetworkTransport({ ...TIMEOUTS, firstByteMs: 400 });
  beforeAll(() => provider.listen());
  afterAll(async () => {
    await transport.close();
    await provider.close();
  });

  const send = (body: OutgoingBody) =>
    transport.send(
      { method: 'POST', url: new URL(provider.url), headers: {}, body },
      { signal: new AbortController().signal, stream: true },
    );

  it('passes although the provider says that it works', async () => {
    provider.answers((response) => {
      const saying = setInterval(() => {
        response.writeProcessing();
      }, 100);
      response.once('close', () => {
        clearInterval(saying);
      });
    });
    const sentAt = performance.now();
    await expect(send([Buffer.from('{}')])).rejects.toMatchObject({
      status: 504,
      code: 'upstream_timeout',
      details: { upstream: { status: 0 } },
    });
    expect(performance.now() - sentAt).toBeLessThan(AT_ONCE_MS);
    await until(() => provider.aborted === 1);
  });

  it('is over with a head that comes after such words', async () => {
    provider.answers((response) => {
      response.writeProcessing();
      response.writeHead(200).write('x');
      setTimeout(() => response.end(), 800);
    });
    const { bytes } = await readReply(await send([Buffer.from('{}')]));
    expect(bytes.toString()).toBe('x');
  });

  it('begins anew with each piece of a long request', async () => {
    provider.replies(200, {});
    const pieces = async function* () {
      for (let piece = 0; piece < 8; piece++) {
        await delay(100);
        yield Buffer.from('x');
      }
    };
    expect((await send({ length: 8, pieces })).status).toBe(200);
    expect(provider.last.text).toBe('xxxxxxxx');
  });
});

describe('a long request', () => {
  const provider = new FakeUpstream();
  const transport = new NetworkTransport(TIMEOUTS);
  const slice = Buffer.alloc(2 ** 17, 'x');
  beforeAll(() => provider.listen());
  afterAll(async () => {
    await transport.close();
    await provider.close();
  });

  /** Of three slices, the last of which is made when it is let; the first one leaves before that. */
  const begin = (url = provider.url) => {
    const leaving = new AbortController();
    const told: string[] = [];
    const rest = Promise.withResolvers<undefined>();
    const pieces = async function* () {
      yield slice;
      yield slice;
      told.push('made');
      await rest.promise;
      yield slice;
    };
    const answer = transport.send(
      { method: 'POST', url: new URL(url), headers: {}, body: { length: 3 * 2 ** 17, pieces } },
      { signal: leaving.signal, stream: true, sent: () => told.push('sent') },
    );
    return { answer, told, leaving, finish: () => rest.resolve(undefined) };
  };

  it('counts as sent once it has left whole', async () => {
    provider.replies(200, {});
    const { answer, told, finish } = begin();
    await until(() => told.length > 0);
    expect(told).toEqual(['made']);
    finish();
    expect((await answer).status).toBe(200);
    expect(told).toEqual(['made', 'sent']);
  });

  it('does not when it is cut before', async () => {
    const { answer, told, leaving, finish } = begin();
    await until(() => told.length > 0);
    leaving.abort(new Error('the caller left'));
    await expect(answer).rejects.toThrow('the caller left');
    finish();
    expect(told).toEqual(['made']);
  });

  it('does when it is answered before', async () => {
    const hasty = createServer((_request, response) => response.writeHead(200).write('x'));
    await once(hasty.listen(0, '127.0.0.1'), 'listening');
    const { answer, told, leaving } = begin(
      `http://127.0.0.1:${(hasty.address() as AddressInfo).port}`,
    );
    expect((await answer).status).toBe(200);
    expect(told).toEqual(['made', 'sent']);
    leaving.abort(new Error('the caller left'));
    hasty.closeAllConnections();
    await once(hasty.close(), 'close');
  });
});
