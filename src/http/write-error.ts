import { type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import { familyOf, statusFor } from '../contract/error-family.js';
import { type GatewayError } from '../contract/gateway-error.js';
import { errorBody } from './error-bodies.js';
import { type ArrivedRequest } from './gateway-request.js';
import { pathOf } from './path-of.js';

/** Answers with an error, in the body that the path's clients read and with the headers it asks for. */
export function writeError(response: ServerResponse, error: GatewayError): void {
  const request = response.req as ArrivedRequest;
  const family = familyOf(pathOf(request));
  const text = JSON.stringify(errorBody(error, family, request.id));
  const {
    headers,
    close,
    upstream,
    retryAfter = SOON.has(error.status) ? 1 : undefined,
  } = error.details;
  const head: OutgoingHttpHeaders = {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  };
  if (retryAfter !== undefined) head['retry-after'] = String(Math.max(1, Math.ceil(retryAfter)));
  // SDKs would ask again after any 429 or 5xx.
  if (upstream?.isFinal) head['x-should-retry'] = 'false';
  if (close) head.connection = 'close';
  response.writeHead(statusFor(error, family), head);
  response.end(text);
}

/** What soon works again, as far as anybody knows. */
const SOON = new Set([429, 503, 529]);
