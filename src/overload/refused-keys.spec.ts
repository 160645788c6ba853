import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { GatewayError } from '../contract/gateway-error.js';
import { beforeExpress } from '../http/before-express.js';
import { type GatewayRequest, type UsedUp } from '../http/gateway-request.js';
import { requestId } from '../http/request-id.js';
import { Metrics } from '../telemetry/metrics.service.js';
import { type CallGate } from './call-gate.js';
import { Load } from './load.service.js';
import { type RefusalDelay } from './refusal-delay.js';
import { RefusalLog } from './refusal-log.js';
import { RefusedKeys } from './refused-keys.js';

type Handler = Parameters<RefusedKeys['note']>;

describe('RefusedKeys', () => {
  const metrics = new Metrics();
  const log = new RefusalLog();
  let load: Load;
  let server: Server;
  /** The keys whose calls took the whole way, where they are answered with `status`. */
  let whole: string[];
  let status: number;
  let passSecond: () => void;
  /** What a limit says of the calls after the one that it has refused. */
  let usedUp: UsedUp | undefined;

  beforeEach(async () => {
    load = new Load(metrics, undefined as never, undefined as never);
    const keys = new RefusedKeys(load, metrics, log);
    [whole, status, usedUp] = [[], 503, undefined];
    server = createServer((request, response) => {
      const arrived = request as GatewayRequest;
      const key = request.headers.authorization ?? '';
      whole.push(key);
      arrived.caller = {
        accountId: `account of ${key}`,
        keyId: key,
      } as GatewayRequest['caller'] & {};
      arrived.usedUp = usedUp;
      response.once('close', () => {
        keys.note(arrived, response as Handler[1]);
      });
      response.writeHead(status).end();
    });
    beforeExpress(server, requestId, keys.check);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const real = performance.now.bind(performance);
    let ahead = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => real() + ahead);
    passSecond = () => {
      ahead += 1_001;
    };
    // As many run as may, all of them of one account.
    const { gate } = load as unknown as { gate: CallGate };
    gate.begin('account of a');
    gate.limitTo(1, undefined);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    log.onApplicationShutdown();
    server.close();
  });

  const send = async (key: string, path = '/v3/chat/completions', method = 'POST') => {
    const { port } = server.address() as AddressInfo;
    const headers = { authorization: key, connection: 'close' };
    const url = `http://127.0.0.1:${port}${path}`;
    const response = await fetch(url, {
      method,
      headers,
      ...(method === 'POST' && { body: '{}' }),
    });
    const text = await response.text();
    return { status: response.status, text, retryAfter: response.headers.get('retry-after') };
  };

  it('refuses the next call of a key that was refused before anything else is done for it', async () => {
    await send('a');
    const refused = await send('a');
    expect(refused).toMatchObject({ status: 503, retryAfter: '1' });
    expect(JSON.parse(refused.text)).toMatchObject({ error: { code: 'provider_unavailable' } });
    expect(whole).toEqual(['a']);
    expect(await metrics.registry.metrics()).toMatch(/http_requests_total{.*status="5xx".*} 1/);
  });

  it('lets the calls of other keys go on, and what is no call', async () => {
    await send('a');
    await send('b');
    await send('a', '/v3/admin/accounts');
    await send('a', '/v3/models', 'GET');
    expect(whole).toEqual(['a', 'b', 'a', 'a']);
  });

  it('lets the call of a key go on that may begin again', async () => {
    await send('a');
    const { gate } = load as unknown as { gate: CallGate };
    gate.limitTo(Infinity, undefined);
    await send('a');
    expect(whole).toEqual(['a', 'a']);
  });

  it('has a key go the whole way once a second, however often it calls', async () => {
    await send('a');
    await send('a');
    passSecond();
    await send('a');
    await send('a');
    expect(whole).toEqual(['a', 'a']);
  });

  it('remembers who was refused by a limit, and nobody who was not refused', async () => {
    status = 429;
    await send('a');
    await send('a');
    status = 400;
    await send('b');
    await send('b');
    expect(whole).toEqual(['a', 'b', 'b']);
  });

  describe('of a limit that is used up', () => {
    const busy = (): void => {
      const { refusalDelay } = load as unknown as { refusalDelay: RefusalDelay };
      refusalDelay.see({ isLimited: true, busy: 1, lateMs: 0 });
    };

    beforeEach(() => {
      const until = performance.now() + 500;
      const error = new GatewayError(429, 'rate_limit_exceeded', 'Too many.', { retryAfter: 7 });
      usedUp = { until, counts: 'requests' as const, refusal: () => error };
      status = 429;
      // Nothing but that limit is in the way.
      const { gate } = load as unknown as { gate: CallGate };
      gate.limitTo(Infinity, undefined);
    });

    it('tells it while the process is busy, until its window ends', async () => {
      busy();
      await send('a');
      expect(await send('a')).toMatchObject({ status: 429, retryAfter: '7' });
      expect(await metrics.registry.metrics()).toMatch(/rate_limited_total 1\n/);
      expect(whole).toEqual(['a']);
      passSecond();
      await send('a');
      expect(whole).toEqual(['a', 'a']);
    });

    it('tells it who reads a list, too, where it is one of requests', async () => {
      busy();
      await send('a', '/v3/models', 'GET');
      expect(await send('a', '/v3/usage', 'GET')).toMatchObject({ status: 429, retryAfter: '7' });
      expect(await metrics.registry.metrics()).toMatch(
        /{method="GET",route="none",status="429"} 1/,
      );
      await send('a', '/v3/admin/accounts', 'GET');
      expect(whole).toEqual(['a', 'a']);
    });

    it('leaves lists alone where it is one of calls', async () => {
      usedUp = usedUp && { ...usedUp, counts: 'tokens' };
      busy();
      await send('a');
      await send('a', '/v3/models', 'GET');
      expect(whole).toEqual(['a', 'a']);
    });

    it('has the calls go the whole way while there is time', async () => {
      await send('a');
      await send('a');
      expect(whole).toEqual(['a', 'a']);
    });
  });
});
