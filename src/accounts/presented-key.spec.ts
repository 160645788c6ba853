import { describe, expect, it } from '@jest/globals';
import { presentedKey } from './presented-key.js';

function presented(headers: Record<string, string>, apiKeyHeader = true): string | undefined {
  return presentedKey({ headers, rawHeaders: Object.entries(headers).flat() }, { apiKeyHeader });
}

describe('presentedKey', () => {
  it.each(['Bearer k', 'bearer k', 'BEARER k', 'bEaReR   k'])('reads %j', (authorization) => {
    expect(presented({ authorization })).toBe('k');
  });

  it.each(['', 'Bearer', 'Bearer ', 'k', 'Basic k', 'Bearerk', 'Bearer a b', 'Bearer a, Bearer b'])(
    'reads no key from %j',
    (authorization) => {
      expect(presented({ authorization })).toBeUndefined();
    },
  );

  it('reads x-api-key where it is allowed', () => {
    expect(presented({ 'x-api-key': 'k' })).toBe('k');
    expect(presented({ 'x-api-key': 'k' }, false)).toBeUndefined();
    expect(presented({ 'x-api-key': '' })).toBeUndefined();
  });

  it('lets Authorization decide when both are there', () => {
    expect(presented({ authorization: 'Bearer a', 'x-api-key': 'b' })).toBe('a');
    expect(presented({ authorization: 'Bearer', 'x-api-key': 'b' })).toBeUndefined();
  });

  it('reads no key from two Authorization headers', () => {
    const rawHeaders = ['Authorization', 'Bearer a', 'AUTHORIZATION', 'Bearer b'];
    const request = { headers: { authorization: 'Bearer a' }, rawHeaders };
    expect(presentedKey(request, { apiKeyHeader: true })).toBeUndefined();
  });

  it('does not take a value for a name', () => {
    const rawHeaders = [
      'x-a',
      'authorization',
      'x-b',
      'authorization',
      'Authorization',
      'Bearer a',
    ];
    const request = { headers: { authorization: 'Bearer a' }, rawHeaders };
    expect(presentedKey(request, { apiKeyHeader: true })).toBe('a');
  });
});
