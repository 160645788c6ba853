import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Scope } from '../contract/caller.js';
import { GatewayError } from '../contract/gateway-error.js';
import { PUBLIC_ROUTE, REQUIRED_SCOPE } from '../http/access.js';
import { type GatewayRequest } from '../http/gateway-request.js';

/** Refuses a key that may not use the route; runs last, so that such requests are limited too. */
@Injectable()
export class ScopeGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(PUBLIC_ROUTE, targets)) return true;
    const scope = requiredScope(this.reflector, context);
    const { caller } = context.switchToHttp().getRequest<GatewayRequest>();
    if (caller?.scopes.includes(scope)) return true;
    throw new GatewayError(403, 'permission_denied', `This needs a key with the scope "${scope}".`);
  }
}

/** The scope that a key needs on the route. */
export function requiredScope(reflector: Reflector, context: ExecutionContext): Scope {
  const targets = [context.getHandler(), context.getClass()];
  return reflector.getAllAndOverride<Scope | undefined>(REQUIRED_SCOPE, targets) ?? 'inference';
}
