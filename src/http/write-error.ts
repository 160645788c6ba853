import { type Response } from 'express';
import { type GatewayError } from '../contract/gateway-error.js';
import { errorBody, familyOf, statusFor } from './error-bodies.js';
import { type GatewayRequest } from './gateway-request.js';

/** Answers with an error, in the body that the path's clients read and with the headers it asks for. */
export function writeError(response: Response, error: GatewayError): void {
  const { id, path } = response.req as GatewayRequest;
  const family = familyOf(path);
  const { headers = {}, close, retryAfter = error.status === 503 ? 1 : undefined } = error.details;
  response.set(headers);
  if (retryAfter !== undefined) response.set('retry-after', String(retryAfter));
  if (close) response.set('connection', 'close');
  const text = JSON.stringify(errorBody(error, family, id));
  response.writeHead(statusFor(error, family), {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}
