import { type NextFunction, type Response } from 'express';
import { GatewayError } from '../contract/gateway-error.js';
import { type GatewayRequest } from './gateway-request.js';

/**
 * Express middleware that refuses a request for two hosts with 400: Node takes the first of them, and a
 * proxy in front may have meant the second.
 */
export function oneHost(request: GatewayRequest, _response: Response, next: NextFunction): void {
  next(hostsOf(request) > 1 ? twoHosts() : undefined);
}

function hostsOf({ rawHeaders }: GatewayRequest): number {
  return rawHeaders.filter((name, index) => index % 2 === 0 && /^host$/i.test(name)).length;
}

function twoHosts(): GatewayError {
  return new GatewayError(400, 'invalid_request', 'The request has two Host headers.');
}
