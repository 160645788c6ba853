import { type HeadersObject } from '@nestjs/swagger';
import { type ErrorFamily } from '../contract/error-family.js';

const count = { type: 'integer', minimum: 0 } as const;

/** Every response header of the gateway's own, for `components.headers` of the OpenAPI document. */
export const API_HEADERS = {
  'x-request-id': {
    description: 'The id of the request: the one it was sent with if that was well-formed.',
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,128}$' },
  },
  'request-id': {
    description: 'The same id, under the name that Anthropic’s clients read.',
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,128}$' },
  },
  'X-RateLimit-Limit': { description: 'Requests allowed in a window.', schema: count },
  'X-RateLimit-Remaining': { description: 'Requests left in this window.', schema: count },
  'X-RateLimit-Reset': { description: 'Seconds until the window ends.', schema: count },
  'x-ratelimit-limit-requests': { description: 'As `X-RateLimit-Limit`.', schema: count },
  'x-ratelimit-remaining-requests': { description: 'As `X-RateLimit-Remaining`.', schema: count },
  'x-ratelimit-reset-requests': {
    description: 'As `X-RateLimit-Reset`, as a duration such as `6s`.',
    schema: { type: 'string' },
  },
  'anthropic-ratelimit-requests-limit': {
    description: 'As `X-RateLimit-Limit`.',
    schema: count,
  },
  'anthropic-ratelimit-requests-remaining': {
    description: 'As `X-RateLimit-Remaining`.',
    schema: count,
  },
  'anthropic-ratelimit-requests-reset': {
    description: 'When the window ends.',
    schema: { type: 'string', format: 'date-time' },
  },
  'Retry-After': {
    description: 'Seconds to wait before the same request may work.',
    schema: { type: 'integer', minimum: 1 },
  },
  'x-should-retry': {
    description: '`false` where the provider says that the same request will fail again.',
    schema: { type: 'string', enum: ['false'] },
  },
  'WWW-Authenticate': {
    description: 'How to send the key.',
    required: true,
    schema: { type: 'string', enum: ['Bearer'] },
  },
  'x-causeway-provider': {
    description: 'The provider that served the request.',
    required: true,
    schema: { type: 'string' },
  },
  'x-causeway-model': {
    description:
      'The model that served the request: the one asked for, a fallback, or what `@router` chose.',
    required: true,
    schema: { type: 'string' },
  },
  'x-causeway-attempts': {
    description:
      'Every try in its order as `model:outcome`, such as `sandbox/error-503:503, sandbox/echo:ok`: `ok`, ' +
      'the status of the provider’s answer, `no_answer`, `cancelled` when another try was first or the ' +
      'gateway stopped, and `circuit_open` for a model that was not asked because it fails too often. ' +
      'Where there are very many, `+5` stands for five in the middle. An error has it where there was a try.',
    schema: { type: 'string' },
  },
  'x-causeway-cost': {
    description: 'What the request cost, in USD. A stream has its cost in its last event instead.',
    schema: { type: 'string', pattern: '^\\d+(\\.\\d+)?$' },
  },
  'x-causeway-estimated': {
    description: 'Present when the count is the gateway’s own estimate, not the provider’s.',
    schema: { type: 'string', enum: ['true'] },
  },
  'x-accel-buffering': {
    description: 'On streams: tells a proxy to pass each event on at once.',
    schema: { type: 'string', enum: ['no'] },
  },
} as const satisfies HeadersObject;

/** The name of a header that the documentation describes. */
export type ApiHeader = keyof typeof API_HEADERS;

/** The headers of an answer that a model gave. */
export const CALL_HEADERS: readonly ApiHeader[] = [
  'x-causeway-provider',
  'x-causeway-model',
  'x-causeway-attempts',
  'x-causeway-cost',
];

/** A request header, with its only values where there are such. */
export interface RequestHeader {
  readonly description: string;
  readonly values?: readonly string[];
}

/** The request headers that every call to a model knows. */
export const CALL_REQUEST_HEADERS: Readonly<Record<string, RequestHeader>> = {
  'x-causeway-metadata': {
    description:
      'Adds `causeway_metadata` to the answer, to the first event of its stream, or to the error ' +
      'behind the last try.',
    values: ['enabled'],
  },
};

const IDS: readonly ApiHeader[] = ['x-request-id', 'request-id'];
const LIMITS: readonly ApiHeader[] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];
const OPENAI_LIMITS: readonly ApiHeader[] = [
  'x-ratelimit-limit-requests',
  'x-ratelimit-remaining-requests',
  'x-ratelimit-reset-requests',
];
const ANTHROPIC_LIMITS: readonly ApiHeader[] = [
  'anthropic-ratelimit-requests-limit',
  'anthropic-ratelimit-requests-remaining',
  'anthropic-ratelimit-requests-reset',
];

/** The headers on every response of a rate limited route, for that family's clients. */
export function limitedHeaders(family: ErrorFamily): readonly ApiHeader[] {
  return [...IDS, ...LIMITS, ...(family === 'anthropic' ? ANTHROPIC_LIMITS : OPENAI_LIMITS)];
}

/** The headers on every response of a route that is not rate limited. */
export function unlimitedHeaders(): readonly ApiHeader[] {
  return IDS;
}

/** A response's `headers`, each described once for the whole document. */
export function headerReferences(names: readonly ApiHeader[]): HeadersObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
