import { describe, expect, it } from '@jest/globals';
import { isPublicAddress } from './public-address.js';

describe('isPublicAddress', () => {
  it.each([
    ...['8.8.8.8', '1.1.1.1', '172.15.255.255', '172.32.0.0', '100.63.255.255', '192.169.0.1'],
    ...['2606:4700::1111', '2a00:1450:4001::1', '2001:4860:4860::8888', '2003::1'],
  ])('takes %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ['this host', '0.0.0.0'],
    ['loopback', '127.0.0.1'],
    ['all of loopback', '127.255.255.254'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['carrier-grade NAT', '100.127.255.255'],
    ['cloud metadata', '169.254.169.254'],
    ['protocol assignments', '192.0.0.192'],
    ['documentation', '192.0.2.1'],
    ['documentation', '198.51.100.1'],
    ['documentation', '203.0.113.1'],
    ['6to4 relays', '192.88.99.1'],
    ['benchmarks', '198.19.0.1'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['a mapped private address', '::ffff:10.0.0.1'],
    ['a mapped private address in hex', '::ffff:a00:1'],
    ['a mapped public address', '::ffff:8.8.8.8'],
    ['a compatible address', '::127.0.0.1'],
    ['NAT64', '64:ff9b::10.0.0.1'],
    ['NAT64 of one’s own', '64:ff9b:1::a00:1'],
    ['6to4', '2002:7f00:1::'],
    ['6to4 of a private address', '2002:a00:1::1'],
    ['Teredo', '2001:0:1::1'],
    ['ORCHID', '2001:20::1'],
    ['documentation', '2001:db8::1'],
    ['documentation', '3fff::1'],
    ['unique local', 'fc00::1'],
    ['unique local', 'fd12:3456::1'],
    ['link local', 'fe80::1'],
    ['link local with its zone', 'fe80::1%eth0'],
    ['a public address with a zone', '2606:4700::1111%eth0'],
    ['site local', 'fec0::1'],
    ['multicast', 'ff02::1'],
    ['discard only', '100::1'],
    ['segment routing', '5f00::1'],
    ['no address', 'localhost'],
    ['a number', '2130706433'],
    ['octal', '0177.0.0.1'],
    ['nothing', ''],
  ])('refuses %s %s', (_what, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
