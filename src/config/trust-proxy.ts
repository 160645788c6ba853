import { isIP, isIPv4 } from 'node:net';

/** Whether it is a list of addresses, networks and their names as Express takes it, by commas. */
export function isProxyList(text: string): boolean {
  return text.split(',').every((part) => isProxy(part.trim()));
}

function isProxy(text: string): boolean {
  if (NAMES.includes(text)) return true;
  const [address = '', range, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || more.length > 0) return false;
  if (range === undefined) return true;
  if (version === 4 && isIPv4(range)) return isMask(range);
  const bits = /^\d{1,3}$/.test(range) ? Number(range) : 0;
  return bits >= 1 && bits <= (version === 4 ? 32 : 128);
}

/** Ones and then zeros, such as `255.255.0.0`. */
function isMask(text: string): boolean {
  const bits = text.split('.').map((byte) => Number(byte).toString(2).padStart(8, '0'));
  return /^1+0*$/.test(bits.join(''));
}

const NAMES = ['loopback', 'linklocal', 'uniquelocal'];
