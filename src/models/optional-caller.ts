import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Caller } from '../contract/caller.js';
import { type GatewayRequest } from '../http/gateway-request.js';

/** Gives a handler who is asking; undefined on a public route that was called without a good key. */
export const OptionalCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Caller | undefined =>
    context.switchToHttp().getRequest<GatewayRequest>().caller,
);
