import { HttpException } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { type NextFunction, type Response } from 'express';
import { type FirstStep } from './before-express.js';
import { type GatewayRequest } from './gateway-request.js';

const CALLERS_OWN = /^[A-Za-z0-9_-]{1,128}$/;

/** Gives a request its id, the caller's own where it is well-formed, and shows it on the answer. */
export const requestId: FirstStep = (request, response, next) => {
  const own = request.headers['x-request-id'];
  request.id =
    typeof own === 'string' && CALLERS_OWN.test(own)
      ? own
      : `req_${randomUUID().replaceAll('-', '')}`;
  request.receivedAt = performance.now();
  request.log = {};
  response.setHeader('x-request-id', request.id);
  response.setHeader('request-id', request.id);
  next();
};

/** Express middleware that refuses a request for two hosts. */
export function oneHost(request: GatewayRequest, _response: Response, next: NextFunction): void {
  next(hostsOf(request) > 1 ? new HttpException('Two Host headers', 400) : undefined);
}

/** Node takes the first of two; a proxy in front may have meant the second. */
function hostsOf({ rawHeaders }: GatewayRequest): number {
  return rawHeaders.filter((name, index) => index % 2 === 0 && /^host$/i.test(name)).length;
}
