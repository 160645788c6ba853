import { BlockList, isIP } from 'node:net';

/** What a provider’s address may be here. */
export interface AddressRules {
  /** Plain HTTP is let through to any host, not only to loopback and private ones. */
  readonly allowInsecure: boolean;
}

/** A provider's address, or why it may not be one; the reason does not repeat the address. */
export type CheckedAddress = { readonly url: URL } | { readonly problem: string };

/**
 * Checks where a provider is said to be. Credentials go to this address, and a caller can make the
 * gateway call it, so the addresses of cloud metadata services are never accepted.
 */
export function checkBaseAddress(text: string, { allowInsecure }: AddressRules): CheckedAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || !/^https?:\/\//i.test(text)) {
    return { problem: 'must be an address https://…' };
  }
  if (url.username !== '' || url.password !== '') {
    return { problem: 'must not hold a user name or password' };
  }
  if (/[?#]/.test(text)) return { problem: 'must not hold a query or a fragment' };
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (METADATA_HOSTS.test(host) || isListed(NEVER, host)) {
    return { problem: 'must not be a link-local or metadata address' };
  }
  if (url.protocol === 'http:' && !allowInsecure && !isPrivate(host)) {
    return {
      problem:
        'must be https:// (http:// only for loopback and private addresses, or with ALLOW_INSECURE_UPSTREAM=1)',
    };
  }
  return { url };
}

const METADATA_HOSTS =
  /^(metadata|metadata\.goog|metadata\.google\.internal|metadata\.azure\.(com|internal)|instance-data(\.[\w-]+\.internal)?)$/i;

/** Names that only a private name server can answer: RFC 6761, 6762, 8375, and `.internal`. */
const PRIVATE_NAMES = /^[^.]+$|\.(localhost|local|internal|home\.arpa)$/i;

const NEVER = addresses(
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 3],
  ['::', 128],
  ['fe80::', 10],
  ['ff00::', 8],
  // NAT64 and 6to4 carry an IPv4 address, whatever it is.
  ['64:ff9b::', 96],
  ['2002::', 16],
  // The metadata services of AWS over IPv6, Alibaba, Oracle, and Azure's host agent.
  ['fd00:ec2::254', 128],
  ['100.100.100.200', 32],
  ['192.0.0.192', 32],
  ['168.63.129.16', 32],
);

const PRIVATE = addresses(
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['::1', 128],
  ['fc00::', 7],
);

function isPrivate(host: string): boolean {
  return isIP(host) === 0 ? PRIVATE_NAMES.test(host) : isListed(PRIVATE, host);
}

/** `URL` has written IPv4 in dotted form by now, and `BlockList` sees through IPv4 inside IPv6. */
function isListed(list: BlockList, host: string): boolean {
  const version = isIP(host);
  return version !== 0 && list.check(host, version === 6 ? 'ipv6' : 'ipv4');
}

function addresses(...subnets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of subnets) {
    list.addSubnet(network, prefix, network.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}
