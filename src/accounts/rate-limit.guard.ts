import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  ThrottlerGuard,
  type ThrottlerModuleOptions,
  type ThrottlerRequest,
} from '@nestjs/throttler';
import { type Response } from 'express';
import { type GatewayRequest } from '../http/gateway-request.js';
import { CallPlace } from './call-place.js';
import { callerAddress } from './caller-address.js';
import { addressLimits, callerLimits, callLimits, type Limit } from './limit.js';
import { Limits } from './limits.service.js';
import { rateHeaders, tightest, tooMany } from './rate-headers.js';
import { requiredScope } from './scope.guard.js';
import { usedUp } from './used-up.js';

/**
 * Limits the requests under `/v3` by account, by key too where the key has a limit of its own, and
 * by client address where there is no key; and the calls of models (every POST but those of the
 * management) by what runs at once and by the key's tokens. The limit with the fewest requests left
 * is shown.
 */
@Injectable()
export class RateLimitGuard extends ThrottlerGuard {
  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() private readonly limits: Limits,
    reflector: Reflector,
  ) {
    super(options, limits, reflector);
  }

  protected override shouldSkip(context: ExecutionContext): Promise<boolean> {
    const { path } = context.switchToHttp().getRequest<GatewayRequest>();
    return Promise.resolve(!isApiPath(path));
  }

  protected override async handleRequest(throttled: ThrottlerRequest): Promise<boolean> {
    const http = throttled.context.switchToHttp();
    const request = http.getRequest<GatewayRequest>();
    const response = http.getResponse<Response>();
    const { admitted, standings, end } = await this.limits.admit(this.limitsOf(request, throttled));
    if (!admitted) {
      request.usedUp = usedUp(standings);
      throw tooMany(request.path, standings);
    }
    // A caller may have left while Redis was asked.
    if (response.closed) end();
    else holdPlace(request, response, end);
    const shown = tightest(standings);
    if (shown) response.set(rateHeaders(request.path, shown));
    return true;
  }

  private limitsOf(
    request: GatewayRequest,
    { context, limit, ttl: windowMs }: ThrottlerRequest,
  ): readonly Limit[] {
    const { caller, method } = request;
    const usual = { limit, windowMs };
    if (!caller) return addressLimits(callerAddress(request), usual);
    const calls = method === 'POST' && requiredScope(this.reflector, context) !== 'admin';
    return [...callerLimits(caller, usual), ...(calls ? callLimits(caller) : [])];
  }
}

/** Holds what a call takes while it runs until its answer is over, and what outlives that. */
function holdPlace(request: GatewayRequest, response: Response, end: () => void): void {
  const place = new CallPlace(end);
  request.place = place;
  response.once('close', () => {
    // What outlives it begins with the same event.
    queueMicrotask(() => {
      place.end();
    });
  });
}

/** Whether a path belongs to the API, as opposed to health, metrics and documentation. */
export function isApiPath(path: string): boolean {
  return /^\/v3(\/|$)/i.test(path);
}
