import { type RateLimit } from '../config/config.js';
import { parseRateLimit } from '../config/read-config.js';
import { type Caller } from '../contract/caller.js';
import { type Window } from './window-counters.js';

/** Something that may be had only so often, or so many times at once. */
export interface Limit {
  /** Each request takes one; tokens are counted when they are known; a call is held while it runs. */
  readonly counts: 'requests' | 'tokens' | 'calls';
  /** The same in every process, and in Redis. */
  readonly name: string;
  readonly limit: number;
  /** The window; for calls, how long one counts on after its process has died. */
  readonly windowMs: number;
}

/** A limit and how much of it is used up. `msLeft` is 0 for calls: nobody knows when one ends. */
export type Standing = Limit & Window;

/** A call of a process that died is forgotten after this; a live one is renewed before. */
export const LEASE_MS = 6_000;

/** What a request without a key is held to. */
export function addressLimits(address: string, usual: RateLimit): readonly Limit[] {
  return [requests(`{address:${address}}`, usual)];
}

/** How many unknown keys may be tried from one address. */
export function guessLimit(address: string): Limit {
  return {
    counts: 'requests',
    name: `causeway:{address:${address}}:guesses`,
    limit: 100,
    windowMs: 60_000,
  };
}

/** What a key's requests are held to: its account's limit, shared by the keys, and its own. */
export function callerLimits(caller: Caller, usual: RateLimit): readonly Limit[] {
  const { accountRateLimit, keyRateLimit } = caller;
  const ofAccount = accountRateLimit === null ? usual : (parseRateLimit(accountRateLimit) ?? usual);
  const ofKey = keyRateLimit === null ? undefined : parseRateLimit(keyRateLimit);
  return [requests(account(caller), ofAccount), ...(ofKey ? [requests(key(caller), ofKey)] : [])];
}

/** What a key's calls of models are held to beside that. */
export function callLimits(caller: Caller): readonly Limit[] {
  const tokens = tokenLimit(caller);
  return [
    ...calls(account(caller), caller.accountMaxConcurrent),
    ...calls(key(caller), caller.keyMaxConcurrent),
    ...(tokens ? [tokens] : []),
  ];
}

/** The tokens that a key may use in a minute; undefined for as many as it likes. */
export function tokenLimit(caller: Caller): Limit | undefined {
  const limit = caller.keyTokensPerMinute;
  if (limit === null) return undefined;
  return { counts: 'tokens', name: `causeway:${key(caller)}:tokens`, limit, windowMs: 60_000 };
}

/** In braces: a cluster of Redis servers keeps the limits of one account on the same server. */
function account({ accountId }: Caller): string {
  return `{${accountId}}`;
}

function key(caller: Caller): string {
  return `${account(caller)}:${caller.keyId}`;
}

/** The window is part of the name, so that a limit that was changed starts anew. */
function requests(whose: string, { limit, windowMs }: RateLimit): Limit {
  return { counts: 'requests', name: `causeway:${whose}:requests:${windowMs}`, limit, windowMs };
}

function calls(whose: string, limit: number | null): readonly Limit[] {
  if (limit === null) return [];
  return [{ counts: 'calls', name: `causeway:${whose}:calls`, limit, windowMs: LEASE_MS }];
}
