import { randomUUID } from 'node:crypto';
import { type FirstStep } from './before-express.js';

const CALLERS_OWN = /^[A-Za-z0-9_-]{1,128}$/;

/** Gives a request its id, the caller's own where it is well-formed, and shows it on the answer. */
export const requestId: FirstStep = (request, response, next) => {
  const own = request.headers['x-request-id'];
  request.id = typeof own === 'string' && CALLERS_OWN.test(own) ? own : newRequestId();
  request.receivedAt = performance.now();
  request.log = {};
  response.setHeader('x-request-id', request.id);
  response.setHeader('request-id', request.id);
  next();
};

/** An id for what has brought none. */
export function newRequestId(): string {
  return `req_${randomUUID().replaceAll('-', '')}`;
}
