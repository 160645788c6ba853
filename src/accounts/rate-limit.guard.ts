import { type ExecutionContext, Injectable } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerRequest } from '@nestjs/throttler';
import { type Response } from 'express';
import { type RateLimit } from '../config/config.js';
import { parseRateLimit } from '../config/read-config.js';
import { type GatewayRequest } from '../http/gateway-request.js';
import { rateHeaders, tooManyRequests } from './rate-headers.js';

/**
 * Limits the requests under `/v3` by account, by key too where the key has a limit of its own, and
 * by client address where there is no key. The limit with the fewest requests left is shown.
 */
@Injectable()
export class RateLimitGuard extends ThrottlerGuard {
  protected override shouldSkip(context: ExecutionContext): Promise<boolean> {
    const { path } = context.switchToHttp().getRequest<GatewayRequest>();
    return Promise.resolve(!isApiPath(path));
  }

  protected override async handleRequest(throttled: ThrottlerRequest): Promise<boolean> {
    const http = throttled.context.switchToHttp();
    const request = http.getRequest<GatewayRequest>();
    const { path } = request;
    const usual = { limit: throttled.limit, windowMs: throttled.ttl };
    const address = await this.getTracker(request);

    let fewest = Infinity;
    let headers: Record<string, string> = {};
    for (const [key, { limit, windowMs }] of countersOf(request, address, usual)) {
      const count = await this.storageService.increment(key, windowMs, limit, 0, 'default');
      if (count.isBlocked) throw tooManyRequests(path, limit, count);
      if (limit - count.totalHits >= fewest) continue;
      fewest = limit - count.totalHits;
      headers = rateHeaders(path, limit, count);
    }
    http.getResponse<Response>().set(headers);
    return true;
  }
}

/** Whether a path belongs to the API, as opposed to health, metrics and documentation. */
export function isApiPath(path: string): boolean {
  return /^\/v3(\/|$)/i.test(path);
}

/** The key's own counter is first, so that a key beyond it takes nothing from its account. */
function countersOf(
  { caller }: GatewayRequest,
  address: string,
  usual: RateLimit,
): readonly (readonly [string, RateLimit])[] {
  if (!caller) return [[`address:${address}`, usual]];
  const ofKey = limitOf(caller.keyRateLimit);
  const ofAccount = limitOf(caller.accountRateLimit) ?? usual;
  return [
    ...(ofKey ? [[`key:${caller.keyId}`, ofKey] as const] : []),
    [`account:${caller.accountId}`, ofAccount],
  ];
}

function limitOf(text: string | null): RateLimit | undefined {
  return text === null ? undefined : parseRateLimit(text);
}
