import { Injectable } from '@nestjs/common';
import { hash } from 'node:crypto';
import { type IncomingMessage } from 'node:http';
import { type Caller } from '../contract/caller.js';
import { type GatewayError } from '../contract/gateway-error.js';
import { type FirstStep } from '../http/before-express.js';
import { type ArrivedRequest, type UsedUp } from '../http/gateway-request.js';
import { pathOf } from '../http/path-of.js';
import { type EndHandler } from '../http/when-over.js';
import { writeError } from '../http/write-error.js';
import { Metrics } from '../telemetry/metrics.service.js';
import { isCall, isOfCallers } from './is-call.js';
import { Load } from './load.service.js';
import { RefusalLog } from './refusal-log.js';
import { shed } from './shed.js';

const MOST_KEYS = 10_000;
/**
 * For so long a refusal is remembered. It is not prolonged by the calls that are refused because of
 * it, so that one of them is looked at anew each second and a change of its key is soon seen.
 */
const KNOWN_MS = 1_000;

/**
 * The keys whose calls were just refused, by a limit or under load. While the process is busy their next
 * ones wait for a moment, and are refused for the same reason before anything else is done for them:
 * refusing would itself take the time that calls need. A limit of requests refuses what is no call, too.
 */
@Injectable()
export class RefusedKeys {
  /** By a digest of the header that named the key. */
  private readonly keys = new Map<string, Refused>();
  /** When nothing is known of any of them any more. */
  private knownUntil = -Infinity;

  constructor(
    private readonly load: Load,
    private readonly metrics: Metrics,
    private readonly log: RefusalLog,
  ) {}

  /** Remembers the key of a request that is over, if that was refused. */
  readonly note: EndHandler = (request, { statusCode }) => {
    const { caller, log, usedUp } = request;
    const isRefused = (statusCode === 429 || statusCode === 503) && !log.attempts;
    if (!isRefused || !caller || !concerns(usedUp, request)) return;
    if (statusCode === 429) this.load.asked(caller.accountId);
    if (this.keys.size >= MOST_KEYS) this.keys.clear();
    this.knownUntil = performance.now() + KNOWN_MS;
    this.keys.set(digestOf(request), { caller, usedUp, until: this.knownUntil });
  };

  /** Keeps them waiting or refuses them. */
  readonly check: FirstStep = (request, response, next) => {
    // In quiet times no call is to pay for a digest.
    if (this.knownUntil < performance.now()) this.keys.clear();
    const known =
      this.keys.size > 0 && isOfCallers(request) ? this.keys.get(digestOf(request)) : undefined;
    if (!known || known.until < performance.now() || !concerns(known.usedUp, request)) {
      next();
      return;
    }
    const delayMs = this.load.refusalDelayMs;
    const look = (): void => {
      // Its caller may have left, or the process was stopped meanwhile.
      if (response.closed || response.writableEnded) return;
      const refusal = this.refusalOf(request, known, delayMs);
      if (!refusal) {
        next();
        return;
      }
      writeError(response, refusal);
      const seconds = (performance.now() - request.receivedAt) / 1_000;
      const { status } = refusal;
      this.metrics.request({ method: request.method ?? '', route: undefined, status, seconds });
      this.metrics.refused(status);
      this.log.add(known.caller, status);
    };
    if (delayMs === 0) look();
    else setTimeout(look, delayMs);
  };

  /** Why a request is refused here; undefined for one that goes the whole way. */
  private refusalOf(
    request: ArrivedRequest,
    { caller: { accountId }, usedUp }: Refused,
    delayMs: number,
  ): GatewayError | undefined {
    // With time to spare, when nobody is delayed, each of them gets its own log line.
    if (delayMs > 0 && usedUp && performance.now() < usedUp.until) {
      this.load.asked(accountId);
      return usedUp.refusal(pathOf(request));
    }
    if (!isCall(request)) return undefined;
    return this.load.decide(accountId) === 'never' ? shed(request, 'load') : undefined;
  }
}

interface Refused {
  readonly caller: Caller;
  /** The limit that refused it; undefined where the load did. */
  readonly usedUp: UsedUp | undefined;
  readonly until: number;
}

/** Whether what has refused one request of a key may refuse this one. */
function concerns(usedUp: UsedUp | undefined, request: IncomingMessage): boolean {
  return isCall(request) || (usedUp?.counts === 'requests' && isOfCallers(request));
}

/** No key is kept, not even here. */
function digestOf({ headers }: IncomingMessage): string {
  return hash('sha256', `${headers.authorization ?? ''} ${String(headers['x-api-key'])}`);
}
