import { type IncomingMessage } from 'node:http';
import { pathOf } from '../http/path-of.js';

/** Whether a request makes work beyond the gateway's own: every POST outside of the management. */
export function isCall(request: IncomingMessage): boolean {
  return request.method === 'POST' && isOfCallers(request);
}

/** Whether a request is for what callers use, and neither for the management nor for health and the like. */
export function isOfCallers(request: IncomingMessage): boolean {
  return pathOf(request).startsWith('/v3/') && !isManagement(request);
}

/** Whether a request is for the management. */
export function isManagement(request: IncomingMessage): boolean {
  return pathOf(request).startsWith('/v3/admin/');
}
