import { Readable } from 'node:stream';
import { Pool } from 'undici';
import { type Timeouts } from '../config/config.js';
import { type OutgoingRequest, type Transport } from '../providers/transport.js';
import { hearingConnector } from './hearing-connector.js';
import { inSlices, type Pieces, SLICE_BYTES } from './in-slices.js';
import { lookupOnce } from './lookup-once.js';
import { NetworkCall } from './network-call.js';

/**
 * How long an unused connection is kept whose provider does not say how long it keeps it: Node's servers
 * and uvicorn's, which is below vLLM, end it after five seconds, and what was sent in that moment is lost.
 */
const IDLE_MS = 4_000;
/**
 * How long one of several addresses is tried before the next one is. Node gives it 500 ms, in which a
 * packet that was lost is not sent again: https://github.com/nodejs/node/issues/54359
 */
const ADDRESS_MS = 1_500;

/**
 * Carries requests over HTTP with one connection pool for each origin. Redirects are not followed,
 * and a request that was sent is never sent again.
 */
export class NetworkTransport {
  private readonly pools = new Map<string, Pool>();

  constructor(private readonly timeouts: Timeouts) {}

  /** @throws GatewayError 502 or 504 as the call fails, or the signal's reason when it is aborted. */
  readonly send: Transport = async (request, limits) => {
    limits.signal.throwIfAborted();
    const { timeouts } = this;
    const call = new NetworkCall(limits, timeouts);
    try {
      this.poolOf(request.url.origin).dispatch(
        {
          path: request.url.pathname + request.url.search,
          method: request.method,
          ...sent(request),
          // The call has timers of its own. A 1xx would begin the first of these anew, and the second
          // one may run out half a second early, as that of the connection may be late.
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        call,
      );
    } catch (error) {
      call.fail(error);
    }
    return await call.answer;
  };

  async close(): Promise<void> {
    await Promise.all([...this.pools.values()].map((pool) => pool.destroy()));
    this.pools.clear();
  }

  private poolOf(origin: string): Pool {
    const { connectMs } = this.timeouts;
    let pool = this.pools.get(origin);
    if (!pool) {
      pool = new Pool(origin, {
        connect: hearingConnector({
          timeout: connectMs,
          lookup: lookupOnce,
          autoSelectFamily: true,
          autoSelectFamilyAttemptTimeout: Math.max(10, Math.min(ADDRESS_MS, connectMs / 2)),
          allowH2: false,
        }),
        keepAliveTimeout: IDLE_MS,
        allowH2: false,
      });
      this.pools.set(origin, pool);
    }
    return pool;
  }
}

/** A long body leaves as fast as the provider takes it; of a GET there is none. */
function sent({ method, headers, body }: OutgoingRequest) {
  if (method === 'GET') {
    const { 'content-type': _type, ...kept } = headers;
    return { headers: kept, body: null };
  }
  if ('pieces' in body) return streamed(headers, body.length, body.pieces());
  const whole = Buffer.concat(body);
  if (whole.length < SLICE_BYTES) return { headers, body: whole };
  return streamed(headers, whole.length, [whole]);
}

function streamed(headers: OutgoingRequest['headers'], length: number, pieces: Pieces) {
  return {
    headers: { ...headers, 'content-length': String(length) },
    body: Readable.from(length < SLICE_BYTES ? pieces : inSlices(pieces), { objectMode: false }),
  };
}
