import { Readable } from 'node:stream';
import { type Dispatcher, Pool } from 'undici';
import { type Timeouts } from '../config/config.js';
import { GatewayError } from '../contract/gateway-error.js';
import {
  type IncomingAnswer,
  type OutgoingRequest,
  type Transport,
} from '../providers/transport.js';
import { AnswerBody } from './answer-body.js';

/**
 * Carries requests over HTTP with one connection pool for each origin. Redirects are not followed,
 * and a request that was sent is never sent again.
 */
export class NetworkTransport {
  private readonly pools = new Map<string, Pool>();

  constructor(private readonly timeouts: Timeouts) {}

  /** @throws GatewayError 502 or 504 as the call fails, or the signal's reason when it is aborted. */
  readonly send: Transport = (request, { signal, stream }) => {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingAnswer>();
    const { timeouts } = this;
    let body: AnswerBody | undefined;
    let total: NodeJS.Timeout | undefined;
    let cut: (() => void) | undefined;
    let isStarted = false;
    const settle = (): void => {
      clearTimeout(total);
      if (cut) signal.removeEventListener('abort', cut);
    };
    const fail = (error: unknown): void => {
      settle();
      const reason: unknown = signal.aborted ? signal.reason : toGatewayError(error, !isStarted);
      if (body) body.fail(reason);
      else reject(reason instanceof Error ? reason : new Error(String(reason)));
    };
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(controller) {
        isStarted = true;
        cut = () => {
          controller.abort(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
        };
        if (signal.aborted) {
          cut();
          return;
        }
        signal.addEventListener('abort', cut, { once: true });
        if (!stream)
          total = setTimeout(() => {
            controller.abort(new TotalTimeout());
          }, timeouts.totalMs);
      },
      onResponseStart(controller, status, headers) {
        if (status < 200) return;
        body = new AnswerBody(controller);
        resolve({ status, headers: flatten(headers), body });
      },
      onResponseData(_controller, chunk) {
        body?.push(chunk);
      },
      onResponseEnd() {
        settle();
        body?.end();
      },
      onResponseError(_controller, error) {
        fail(error);
      },
    };
    try {
      this.poolOf(request.url.origin).dispatch(
        {
          path: request.url.pathname + request.url.search,
          method: request.method,
          ...sent(request),
          headersTimeout: timeouts.firstByteMs,
          bodyTimeout: timeouts.idleMs,
        },
        handler,
      );
    } catch (error) {
      fail(error);
    }
    return promise;
  };

  async close(): Promise<void> {
    await Promise.all([...this.pools.values()].map((pool) => pool.destroy()));
    this.pools.clear();
  }

  private poolOf(origin: string): Pool {
    let pool = this.pools.get(origin);
    if (!pool) {
      pool = new Pool(origin, {
        connect: { timeout: this.timeouts.connectMs },
        keepAliveTimeout: 10_000,
        allowH2: false,
      });
      this.pools.set(origin, pool);
    }
    return pool;
  }
}

/** A streamed body is read as fast as the provider takes it; of a GET there is none. */
function sent({ method, headers, body }: OutgoingRequest) {
  if (method === 'GET') {
    const { 'content-type': _type, ...kept } = headers;
    return { headers: kept, body: null };
  }
  if (!('pieces' in body)) return { headers, body: Buffer.concat(body) };
  return {
    headers: { ...headers, 'content-length': String(body.length) },
    body: Readable.from(body.pieces(), { objectMode: false }),
  };
}

class TotalTimeout extends Error {}

const TIMEOUT_CODES = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

function toGatewayError(error: unknown, unsent: boolean): GatewayError {
  if (error instanceof GatewayError) return error;
  const code = (error as { code?: unknown } | undefined)?.code;
  const details = { cause: error, upstream: { status: 0, ...(unsent && { unsent }) } };
  if (error instanceof TotalTimeout || TIMEOUT_CODES.has(String(code))) {
    const message = 'The provider did not answer in time.';
    return new GatewayError(504, 'upstream_timeout', message, details);
  }
  const message = 'The connection to the provider failed.';
  return new GatewayError(502, 'upstream_error', message, details);
}

function flatten(
  headers: Record<string, string | string[] | undefined>,
): Record<string, string | undefined> {
  const flat: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(headers)) {
    flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}
