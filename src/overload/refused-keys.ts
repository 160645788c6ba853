import { Injectable } from '@nestjs/common';
import { type NextFunction, type Response } from 'express';
import { hash } from 'node:crypto';
import { type GatewayRequest } from '../http/gateway-request.js';
import { type Ending } from '../http/when-over.js';
import { writeError } from '../http/write-error.js';
import { isCall } from './is-call.js';
import { Load } from './load.service.js';
import { refusal } from './refusal.js';

const MOST_KEYS = 10_000;
/** What is known of a key is soon forgotten, and so soon after a change of it. */
const KNOWN_MS = 1_000;

/**
 * The keys whose calls were just refused, by a limit or under load. In a flood their next ones wait
 * for a moment, and under load they are refused before anything else is done for them: refusing would
 * itself take the time that calls need.
 */
@Injectable()
export class RefusedKeys {
  /** By a digest of the header that named the key. */
  private readonly keys = new Map<string, { readonly account: string; readonly until: number }>();

  /** When nothing is known of any of them any more. */
  private knownUntil = -Infinity;

  constructor(private readonly load: Load) {}

  /** Remembers the key of a call that is over, if that was refused. */
  readonly note: Ending = (request, { statusCode }) => {
    const { caller, log } = request;
    const isRefused = (statusCode === 429 || statusCode === 503) && !log.attempts;
    if (!isRefused || !caller || !isCall(request)) return;
    if (statusCode === 429) this.load.asked(caller.accountId);
    this.add(digestOf(request), caller.accountId);
  };

  /** Express middleware that keeps them waiting or refuses them. */
  readonly check = (request: GatewayRequest, response: Response, next: NextFunction): void => {
    // In quiet times no call is to pay for a digest.
    if (this.knownUntil < performance.now()) this.keys.clear();
    const digest = this.keys.size > 0 && isCall(request) ? digestOf(request) : undefined;
    const known = digest === undefined ? undefined : this.keys.get(digest);
    if (digest === undefined || !known) {
      next();
      return;
    }
    if (known.until < performance.now()) {
      this.keys.delete(digest);
      next();
      return;
    }
    const look = (): void => {
      if (response.closed) return;
      if (this.load.admission(known.account) !== 'never') {
        next();
        return;
      }
      this.add(digest, known.account);
      writeError(response, refusal(request, 'load'));
    };
    const delayMs = this.load.refusalDelayMs;
    if (delayMs === 0) look();
    else setTimeout(look, delayMs);
  };

  private add(digest: string, account: string): void {
    if (this.keys.size >= MOST_KEYS) this.keys.clear();
    this.knownUntil = performance.now() + KNOWN_MS;
    this.keys.set(digest, { account, until: this.knownUntil });
  }
}

/** No key is kept, not even here. */
function digestOf({ headers }: GatewayRequest): string {
  return hash('sha256', `${headers.authorization ?? ''} ${String(headers['x-api-key'])}`);
}
