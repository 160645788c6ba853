import { Injectable } from '@nestjs/common';
import { type NextFunction, type Response } from 'express';
import { hash } from 'node:crypto';
import { type GatewayRequest } from '../http/gateway-request.js';
import { writeError } from '../http/write-error.js';
import { isCall } from './is-call.js';
import { Load } from './load.service.js';
import { refusal } from './refusal.js';

const MOST_KEYS = 10_000;

/**
 * The keys whose calls were refused under load. Their next ones are refused before anything else is
 * done for them, or refusing would itself take the time that calls need.
 */
@Injectable()
export class RefusedKeys {
  /** Accounts, by a digest of the header that named the key. */
  private readonly accounts = new Map<string, string>();

  constructor(private readonly load: Load) {}

  add(request: GatewayRequest, account: string): void {
    if (this.accounts.size >= MOST_KEYS) this.accounts.clear();
    this.accounts.set(digestOf(request), account);
  }

  /** Express middleware that refuses them. */
  readonly check = (request: GatewayRequest, response: Response, next: NextFunction): void => {
    if (this.accounts.size === 0 || !isCall(request)) {
      next();
      return;
    }
    // What is known of a key is forgotten with the load, and so soon after a change of it.
    if (!this.load.isHigh) this.accounts.clear();
    const account = this.accounts.get(digestOf(request));
    if (account === undefined || this.load.admits(account)) next();
    else writeError(response, refusal(request, 'load'));
  };
}

/** No key is kept, not even here. */
function digestOf({ headers }: GatewayRequest): string {
  return hash('sha256', `${headers.authorization ?? ''} ${String(headers['x-api-key'])}`);
}
