import { type IncomingMessage } from 'node:http';
import { pathOf } from '../http/path-of.js';

/** Whether a request makes work beyond the gateway's own: every POST outside of the management. */
export function isCall(request: IncomingMessage): boolean {
  if (request.method !== 'POST') return false;
  const path = pathOf(request);
  return path.startsWith('/v3/') && !path.startsWith('/v3/admin/');
}
