import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { CONFIG, type Config } from '../config/config.js';
import { GatewayError } from '../contract/gateway-error.js';
import { PUBLIC_ROUTE } from '../http/access.js';
import { type GatewayRequest } from '../http/gateway-request.js';
import { ApiKeys } from './api-keys.service.js';
import { callerAddress } from './caller-address.js';
import { guessLimit } from './limit.js';
import { Limits } from './limits.service.js';
import { presentedKey } from './presented-key.js';
import { rateHeaders, tooMany } from './rate-headers.js';
import { isApiPath } from './rate-limit.guard.js';

/**
 * Lets a request with a good key pass, and says who is behind it. A public route is open to
 * everyone; there a key that nobody knows counts as none, but one that has ended is told so.
 */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly apiKeys: ApiKeys,
    private readonly limits: Limits,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<GatewayRequest>();
    const key = presentedKey(request, {
      apiKeyHeader: this.config.acceptApiKeyHeader && API_KEY_PATHS.test(request.path),
    });
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(PUBLIC_ROUTE, targets)) {
      if (key !== undefined && isApiPath(request.path)) await this.identifyIfKnown(request, key);
      return true;
    }
    if (key === undefined) throw await this.unauthorized(request, { guess: false });
    const { caller, guess } = await this.apiKeys.identify(key);
    if (!caller) throw await this.unauthorized(request, { guess });
    request.caller = caller;
    return true;
  }

  private async identifyIfKnown(request: GatewayRequest, key: string): Promise<void> {
    const identified = await this.apiKeys.identify(key).catch((error: unknown) => {
      // A public list answers also while the database is away.
      if (error instanceof GatewayError) return undefined;
      throw error;
    });
    if (identified?.ended) throw await this.unauthorized(request, { guess: false });
    if (identified?.caller) request.caller = identified.caller;
  }

  /** The same for every reason; who tries many unknown keys from one address is told to wait. */
  private async unauthorized(
    request: GatewayRequest,
    { guess }: { guess: boolean },
  ): Promise<GatewayError> {
    const guesses = guessLimit(callerAddress(request));
    const { admitted, standings } = guess
      ? await this.limits.admit([guesses])
      : { admitted: true, standings: await this.limits.look([guesses]) };
    if (!admitted) return tooMany(request.path, standings);
    const [standing = { ...guesses, used: 0, msLeft: guesses.windowMs }] = standings;
    return new GatewayError(401, 'invalid_api_key', UNAUTHORIZED, {
      headers: { 'www-authenticate': 'Bearer', ...rateHeaders(request.path, standing) },
    });
  }
}

const API_KEY_PATHS = /^\/v3\/v1\//i;
const UNAUTHORIZED = 'Missing or invalid API key. Send it as "Authorization: Bearer <key>".';
