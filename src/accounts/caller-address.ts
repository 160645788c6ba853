import { normalizeIp } from '@nestjs/throttler';
import { isIPv4 } from 'node:net';

/**
 * Whose requests without a known key are counted together: a network, where the address is one of IPv6's.
 * Some proxies, Azure's Application Gateway among them, write the caller's port behind the address, which
 * is another one for each connection.
 * https://azure.microsoft.com/blog/rewrite-http-headers-with-azure-application-gateway
 */
export function callerAddress({ ip = '' }: { readonly ip?: string | undefined }): string {
  const [, inBrackets] = /^\[([^\]]*)\](?::\d+)?$/.exec(ip) ?? [];
  const [beforePort = ''] = ip.split(':', 1);
  return normalizeIp(inBrackets ?? (isIPv4(beforePort) ? beforePort : ip));
}
