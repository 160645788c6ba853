import { describe, expect, it } from '@jest/globals';
import { keyDigest, keyPrefix, newKeyText } from './key-text.js';

describe('key text', () => {
  it.each([
    ['live', ['inference'], /^cw_live_[\w-]{43}$/],
    ['sandbox', ['inference'], /^cw_test_[\w-]{43}$/],
    ['live', ['admin'], /^cw_admin_[\w-]{43}$/],
  ] as const)('tells what a %s key with scope %j is for', (type, scopes, form) => {
    expect(newKeyText({ type, scopes })).toMatch(form);
  });

  it('is never the same', () => {
    const texts = Array.from({ length: 100 }, () =>
      newKeyText({ type: 'live', scopes: ['inference'] }),
    );
    expect(new Set(texts).size).toBe(100);
  });

  it('shows little of a key in lists', () => {
    const text = newKeyText({ type: 'live', scopes: ['inference'] });
    expect(keyPrefix(text)).toBe(text.slice(0, 'cw_live_1234'.length));
    expect(keyPrefix('a-key-of-the-operators-own')).toBe('a-ke');
    expect(keyPrefix('cw_live_short')).toBe('cw_l');
  });

  it('is kept as an HMAC-SHA-256 under the pepper', () => {
    // RFC 4231, test case 2
    expect(keyDigest('what do ya want for nothing?', 'Jefe').toString('hex')).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });
});
