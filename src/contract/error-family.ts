import { type GatewayError } from './gateway-error.js';

/** Which API's clients call a path, and so which error body they can read. */
export type ErrorFamily = 'openai' | 'anthropic' | 'fastapi';

/** The family of a path such as `/v3/v1/messages`. */
export function familyOf(path: string): ErrorFamily {
  if (path.startsWith('/v3/v1/')) return 'anthropic';
  return /^\/v3\/upload(\/|$)/.test(path) ? 'fastapi' : 'openai';
}

/** The status that a family's clients get: OpenAI's know no 529. */
export function statusFor(error: GatewayError, family: ErrorFamily): number {
  return error.status === 529 && family !== 'anthropic' ? 503 : error.status;
}
