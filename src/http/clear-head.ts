import { type NextFunction, type Response } from 'express';
import { GatewayError } from '../contract/gateway-error.js';
import { discardRest } from './discard-rest.js';
import { type GatewayRequest } from './gateway-request.js';

/**
 * Express middleware that refuses with 400 what a proxy in front may have read in another way: a request
 * for two hosts, of which Node takes the first, or for none, and a body in a transfer coding that Node
 * passes over.
 */
export function clearHead(request: GatewayRequest, _response: Response, next: NextFunction): void {
  const wrong = whatIsWrong(request);
  if (!wrong) {
    next();
    return;
  }
  discardRest(request);
  next(new GatewayError(400, 'invalid_request', wrong, { close: true }));
}

function whatIsWrong(request: GatewayRequest): string | undefined {
  const hosts = hostsOf(request);
  if (hosts > 1) return 'The request has two Host headers.';
  if (hosts === 0 && request.httpVersion !== '1.0') return 'The request has no Host header.';
  const coding = request.headers['transfer-encoding'] ?? 'chunked';
  if (!/^\s*chunked\s*$/i.test(coding)) return 'The only transfer encoding is "chunked".';
  return undefined;
}

function hostsOf({ rawHeaders }: GatewayRequest): number {
  return rawHeaders.filter((name, index) => index % 2 === 0 && /^host$/i.test(name)).length;
}
