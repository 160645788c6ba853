import { type GatewayRequest } from '../http/gateway-request.js';

/** Whether a request makes work beyond the gateway's own: every POST outside of the management. */
export function isCall({ method, path }: GatewayRequest): boolean {
  return method === 'POST' && path.startsWith('/v3/') && !path.startsWith('/v3/admin/');
}
