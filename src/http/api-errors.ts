import { type Type } from '@nestjs/common';
import { type ApiResponseOptions, getSchemaPath } from '@nestjs/swagger';
import { type ErrorFamily } from '../contract/error-family.js';
import { GatewayError } from '../contract/gateway-error.js';
import { AnthropicError, DetailError, OpenAIError } from './api-error.dto.js';
import { type ErrorStatus, MODEL_REFUSALS, USUAL_ERRORS } from './api-error-examples.js';
import { type ApiHeader, headerReferences } from './api-headers.js';
import { errorBody, isPlain } from './error-bodies.js';
import { HTTPValidationError } from './http-validation-error.dto.js';

/** A status that a route may answer with, or an error that shows it better than the usual one. */
export type DocumentedError = ErrorStatus | GatewayError;

/** What a call to a model can run into, beside what every route with a key can. */
export const CALL_ERRORS: readonly DocumentedError[] = [
  ...([400, 402, 404, 409, 413, 415, 451, 502, 504] as const),
  ...MODEL_REFUSALS,
];

/** The error responses of a route, with the bodies that its family's clients get. */
export function errorResponses(
  family: ErrorFamily,
  errors: readonly DocumentedError[],
  headers: readonly ApiHeader[],
): readonly ApiResponseOptions[] {
  const own = errors.filter((error) => error instanceof GatewayError);
  const statuses = new Set(errors.map((error) => statusOf(error)));
  const asksProvider = statuses.has(502);
  return [...statuses].map((status) => {
    const told = asksProvider && OF_PROVIDERS.has(status) ? TOLD_BY_PROVIDERS : [];
    const { meaning, examples } = USUAL_ERRORS[status];
    const shown = own.filter((error) => error.status === status);
    return {
      status,
      description: meaning,
      headers: headerReferences([...(HEADERS_OF[status] ?? []), ...told, ...headers]),
      content: {
        'application/json': {
          schema: { $ref: getSchemaPath(bodyOf(status, family)) },
          examples: examplesOf(shown.length > 0 ? shown : examples, family),
        },
      },
    };
  });
}

/** The DTOs of the error bodies that a family's clients may get. */
export function errorDtos(family: ErrorFamily): readonly Type[] {
  return DTOS[family];
}

const DTOS: Record<ErrorFamily, readonly Type[]> = {
  openai: [OpenAIError],
  anthropic: [AnthropicError, HTTPValidationError],
  fastapi: [OpenAIError, HTTPValidationError, DetailError],
};

const REQUEST_ID = 'req_0f5b1c4e9a7d4f0c8b3e6a2d1c9f7e58';
const HEADERS_OF: Partial<Record<ErrorStatus, readonly ApiHeader[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** What the error of a provider may become, and what it may say of asking again, whatever it is. */
const OF_PROVIDERS = new Set<ErrorStatus>([400, 404, 409, 413, 429, 502, 503, 504, 529]);
const TOLD_BY_PROVIDERS: readonly ApiHeader[] = ['Retry-After', 'x-should-retry'];

function statusOf(error: DocumentedError): ErrorStatus {
  return error instanceof GatewayError ? (error.status as ErrorStatus) : error;
}

/** The DTO of what `errorBody` writes. */
function bodyOf(status: ErrorStatus, family: ErrorFamily): Type {
  if (family === 'openai') return OpenAIError;
  if (status === 422) return HTTPValidationError;
  if (family === 'anthropic') return AnthropicError;
  return isPlain(status) ? DetailError : OpenAIError;
}

function examplesOf(errors: readonly GatewayError[], family: ErrorFamily) {
  return Object.fromEntries(
    errors.map((error) => [
      error.code,
      { summary: error.message, value: errorBody(error, family, REQUEST_ID) },
    ]),
  );
}
