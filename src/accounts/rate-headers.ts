import { GatewayError } from '../contract/gateway-error.js';
import { familyOf } from '../http/error-bodies.js';
import { type Count } from './window-counters.js';

/** What is left of a limit, under our own names and those that the path's clients know. */
export function rateHeaders(path: string, limit: number, count: Count): Record<string, string> {
  const remaining = String(Math.max(0, limit - count.totalHits));
  const seconds = String(count.timeToExpire);
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': remaining,
    'X-RateLimit-Reset': seconds,
    ...(familyOf(path) === 'anthropic'
      ? // https://docs.anthropic.com/en/api/rate-limits#response-headers
        {
          'anthropic-ratelimit-requests-limit': String(limit),
          'anthropic-ratelimit-requests-remaining': remaining,
          'anthropic-ratelimit-requests-reset': dateIn(count.timeToExpire),
        }
      : // https://platform.openai.com/docs/guides/rate-limits#rate-limits-in-headers
        {
          'x-ratelimit-limit-requests': String(limit),
          'x-ratelimit-remaining-requests': remaining,
          'x-ratelimit-reset-requests': `${seconds}s`,
        }),
  };
}

/** The 429 for a counter that is beyond its limit. */
export function tooManyRequests(path: string, limit: number, count: Count): GatewayError {
  const retryAfter = count.timeToExpire;
  return new GatewayError(429, 'rate_limit_exceeded', `${MESSAGE} Try again in ${retryAfter} s.`, {
    retryAfter,
    headers: rateHeaders(path, limit, count),
  });
}

const MESSAGE = 'Too many requests.';

function dateIn(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toISOString();
}
