import { type Config } from '../config/config.js';
import { type RequestContext } from '../contract/caller.js';

const HOST = /^(?:[a-z\d](?:[a-z\d.-]{0,252}[a-z\d])?|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** The gateway's own address as this caller knows it: `PUBLIC_URL`, or what the request calls it. */
export function ownOrigin(
  { publicUrl, trustProxy, host, port }: Config,
  { headers }: RequestContext,
): string {
  if (publicUrl !== undefined) return new URL(publicUrl).origin;
  const forwarded = trustProxy === false ? undefined : headers['x-forwarded-proto'];
  const scheme = forwarded?.split(',')[0]?.trim() === 'https' ? 'https' : 'http';
  const named = headers['host'] ?? '';
  return `${scheme}://${HOST.test(named) ? named : `${host}:${port}`}`;
}
