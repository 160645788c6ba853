import { type ErrorFamily, familyOf, statusFor } from '../contract/error-family.js';
import { type ErrorCode, type GatewayError } from '../contract/gateway-error.js';
import { failedResponse, type ResponseError, startedResponse } from './response-failure.js';

/** The JSON body of an error. */
export function errorBody(error: GatewayError, family: ErrorFamily, requestId: string): object {
  const { metadata } = error.details;
  const body = bodyOf(error, family, requestId);
  return metadata ? { ...body, causeway_metadata: metadata } : body;
}

function bodyOf(error: GatewayError, family: ErrorFamily, requestId: string): object {
  const { entries } = error.details;
  if (entries && family !== 'openai') return { detail: entries };
  if (family === 'anthropic') return anthropicBody(error, requestId);
  return family === 'fastapi' && isPlain(error.status)
    ? { detail: FASTAPI_WORDS[error.code] ?? error.message }
    : openaiBody(error);
}

/** What FastAPI itself says, by which its clients may know a path that is none and a method that is none. */
const FASTAPI_WORDS: Partial<Record<ErrorCode, string>> = {
  unknown_url: 'Not Found',
  method_not_allowed: 'Method Not Allowed',
};

/** Whether uploads answer it in the words of FastAPI alone, and not in OpenAI's shape. */
export function isPlain(status: number): boolean {
  return status < 500 && ![401, 402, 429].includes(status);
}

/** The pieces of a stream that its caller has got. */
interface Sent {
  readonly first?: Buffer | undefined;
  readonly last?: Buffer | undefined;
}

/** What ends a stream which broke off, as the clients of its path read it. */
export function errorEvent(
  error: GatewayError,
  request: { readonly path: string; readonly id: string },
  { first, last }: Sent,
): string {
  const family = familyOf(request.path);
  if (/^\/v3\/responses\/?$/.test(request.path)) {
    return failedResponse(openaiBody(error).error, startedResponse(first, last));
  }
  const data = JSON.stringify(errorBody(error, family, request.id));
  return family === 'anthropic' ? `event: error\ndata: ${data}\n\n` : `data: ${data}\n\n`;
}

function anthropicBody({ status, message, details }: GatewayError, requestId: string): object {
  return {
    type: 'error',
    error: {
      type: ANTHROPIC_TYPES[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error'),
      message,
      ...(details.upstream?.details !== undefined && { details: details.upstream.details }),
    },
    request_id: requestId,
  };
}

function openaiBody(error: GatewayError): { error: ResponseError } {
  const { details, message } = error;
  const status = statusFor(error, 'openai');
  return {
    error: {
      message,
      type: OPENAI_TYPES[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error'),
      param: details.param ?? PARAMS[error.code] ?? null,
      code: details.upstream?.code ?? error.code,
    },
  };
}

/** The field that these codes are always about. */
const PARAMS: Partial<Record<ErrorCode, string>> = {
  model_not_found: 'model',
  model_not_supported: 'model',
  model_not_allowed: 'model',
};

/** https://docs.anthropic.com/en/api/errors */
const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  451: 'permission_error',
  503: 'overloaded_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

/** https://platform.openai.com/docs/guides/error-codes */
const OPENAI_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'insufficient_quota',
  403: 'permission_error',
  429: 'rate_limit_error',
  451: 'request_forbidden',
  502: 'upstream_error',
  504: 'upstream_timeout',
};
