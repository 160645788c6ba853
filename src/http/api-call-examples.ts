import { type Examples } from './api-route.js';

/** A PNG of one pixel, in base64. */
export const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Requests for one conversation, in either format, that more than one model may serve. */
export function severalModels(conversation: object): Examples {
  return {
    'fallback-when-the-first-model-fails': {
      model: 'sandbox/error-503',
      fallbacks: ['sandbox/echo'],
      ...conversation,
    },
    'model-chosen-by-the-router': {
      model: '@router',
      router_candidates: ['sandbox/echo'],
      routing: { quality_cost: 3 },
      session_id: 'support-4711',
      ...conversation,
    },
  };
}
