import { createHmac, randomBytes } from 'node:crypto';
import { type Caller } from '../contract/caller.js';

/** The text of a new key: 256 random bits behind a prefix that tells what it is for. */
export function newKeyText({ scopes, type }: KeyUse): string {
  const use = scopes.includes('admin') ? 'admin' : USE_OF_TYPE[type];
  return `cw_${use}_${randomBytes(32).toString('base64url')}`;
}

/** The beginning of a key's text that may be shown in a list; too short to be of use to others. */
export function keyPrefix(text: string): string {
  const [generated] = /^cw_[a-z]+_[\w-]{4}(?=[\w-]{39}$)/.exec(text) ?? [];
  return generated ?? text.slice(0, 4);
}

/** What is kept of a key: its HMAC-SHA-256 under the pepper. */
export function keyDigest(text: string, pepper: string): Buffer {
  return createHmac('sha256', pepper).update(text).digest();
}

interface KeyUse {
  readonly scopes: Caller['scopes'];
  readonly type: Caller['keyType'];
}

const USE_OF_TYPE = { live: 'live', sandbox: 'test' };
