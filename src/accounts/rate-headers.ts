import { GatewayError } from '../contract/gateway-error.js';
import { familyOf } from '../contract/error-family.js';
import { type Standing } from './limit.js';

type Shown = Pick<Standing, 'counts' | 'limit' | 'used' | 'msLeft'>;

/** What is left of a limit, under our own names and, of requests, those that the clients know. */
export function rateHeaders(path: string, standing: Shown): Record<string, string> {
  const limit = String(standing.limit);
  const remaining = String(Math.max(0, left(standing)));
  const seconds = secondsLeft(standing);
  return {
    'X-RateLimit-Limit': limit,
    'X-RateLimit-Remaining': remaining,
    'X-RateLimit-Reset': String(seconds),
    ...(standing.counts === 'requests' &&
      (familyOf(path) === 'anthropic'
        ? // https://docs.anthropic.com/en/api/rate-limits#response-headers
          {
            'anthropic-ratelimit-requests-limit': limit,
            'anthropic-ratelimit-requests-remaining': remaining,
            'anthropic-ratelimit-requests-reset': dateIn(seconds),
          }
        : // https://platform.openai.com/docs/guides/rate-limits#rate-limits-in-headers
          {
            'x-ratelimit-limit-requests': limit,
            'x-ratelimit-remaining-requests': remaining,
            'x-ratelimit-reset-requests': `${seconds}s`,
          })),
  };
}

/** The limit of requests that has the fewest left; of several with as few, the one that lasts longest. */
export function tightest<T extends Shown>(standings: readonly T[]): T | undefined {
  return standings
    .filter(({ counts }) => counts === 'requests')
    .toSorted((one, other) => left(one) - left(other) || other.msLeft - one.msLeft)[0];
}

/** Of those that are used up, the one that takes longest. */
export function longestUsedUp<T extends Shown>(standings: readonly T[]): T | undefined {
  return standings
    .filter(({ used, limit }) => used >= limit)
    .toSorted((one, other) => other.msLeft - one.msLeft)[0];
}

/** The 429 for limits of which at least one is used up; tells of the one that takes longest. */
export function tooMany(path: string, standings: readonly Shown[]): GatewayError {
  const standing = longestUsedUp(standings);
  if (!standing) throw new Error('No limit is used up');
  const retryAfter = secondsLeft(standing);
  const message = `${MESSAGES[standing.counts]} Try again in ${retryAfter} s.`;
  const headers = rateHeaders(path, standing);
  return new GatewayError(429, 'rate_limit_exceeded', message, { retryAfter, headers });
}

const MESSAGES = {
  requests: 'Too many requests.',
  tokens: 'This key has used up its tokens for the minute.',
  calls: 'Too many calls are running at once.',
};

function left({ limit, used }: Shown): number {
  return limit - used;
}

function secondsLeft({ msLeft }: Shown): number {
  return Math.max(1, Math.ceil(msLeft / 1000));
}

function dateIn(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toISOString();
}
