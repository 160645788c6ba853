import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { seal, unseal } from './credential-cipher.js';

describe('a sealed credential', () => {
  const key = randomBytes(32);
  const sealed = seal('sk-secret', 'openai', key);

  it('opens under its key, for its provider', () => {
    expect(unseal(sealed, 'openai', key)).toBe('sk-secret');
    expect(seal('sk-secret', 'openai', key)).not.toBe(sealed);
  });

  it('opens in no other way', () => {
    const changed = Buffer.from(sealed, 'base64');
    changed[changed.length - 1]! ^= 1;
    expect(() => unseal(sealed, 'anthropic', key)).toThrow();
    expect(() => unseal(sealed, 'openai', randomBytes(32))).toThrow();
    expect(() => unseal(changed.toString('base64'), 'openai', key)).toThrow();
    expect(() => unseal('', 'openai', key)).toThrow();
  });
});
