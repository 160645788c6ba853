import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '../contract/gateway-error.js';
import { type Provider } from '../providers/provider.js';
import { isTrusted, replyAddress } from './reply-address.js';

const provider: Provider = {
  name: 'later',
  baseUrl: 'https://api.later.example/v1',
  auth: { type: 'bearer' },
  models: [],
  endpoints: {},
  replyDomain: 'later.example',
  onDisconnect: 'cancel',
  decodeError: () => undefined,
};
const at = (base: string) => ({
  provider,
  baseUrl: new URL(base),
  apiKey: 'secret',
  place: {},
});
const REAL = at('https://api.later.example/v1');
const LOCAL = at('http://127.0.0.1:9900/p/later');

describe('an address that an answer gave', () => {
  it.each([
    [REAL, 'https://api.later.example/v1/result?id=1'],
    [REAL, 'https://api.eu.later.example/result'],
    [REAL, 'https://later.example/result'],
    [LOCAL, 'http://127.0.0.1:9900/elsewhere'],
    [LOCAL, 'https://api.eu.later.example/result'],
  ])('%# is asked when it is the provider’s own', (connection, address) => {
    expect(replyAddress(connection, address).href).toBe(address);
  });

  it.each([
    [REAL, 'http://api.later.example/v1/result'],
    [REAL, 'http://api.eu.later.example/result'],
    [REAL, 'https://api.later.example:8443/result'],
    [REAL, 'https://api.eu.later.example:8443/result'],
    [REAL, 'https://user@api.later.example/'],
    [REAL, 'https://api.later.example.evil.example/'],
    [REAL, 'https://notlater.example/'],
    [REAL, 'https://later.example.:443/'],
    [REAL, 'https://evil.example/?https://api.later.example'],
    [REAL, 'http://169.254.169.254/latest/meta-data'],
    [REAL, 'http://127.0.0.1/'],
    [REAL, 'file:///etc/passwd'],
    [REAL, '/v1/result'],
    [REAL, ''],
    [LOCAL, 'http://127.0.0.1:9901/'],
    [LOCAL, 'http://localhost:9900/'],
    [LOCAL, 'https://127.0.0.1:9900/'],
  ])('%# is not asked when it is anybody else’s', (connection, address) => {
    expect(() => replyAddress(connection, address)).toThrow(GatewayError);
  });

  it.each([
    [REAL, 'https://api.later.example/v1/result', true],
    [REAL, 'https://api.eu.later.example/result', true],
    [REAL, 'https://later.example.evil.example/result', false],
    [REAL, 'https://evil.example/result', false],
    [REAL, 'http://api.eu.later.example/result', false],
    [LOCAL, 'http://127.0.0.1:9900/elsewhere', true],
    // The operator's key for a proxy is nothing that the provider should see.
    [LOCAL, 'https://api.eu.later.example/result', false],
  ])(
    '%# is given the credential only where the operator’s own address is',
    (connection, address, trusted) => {
      expect(isTrusted(connection, new URL(address))).toBe(trusted);
    },
  );
});
