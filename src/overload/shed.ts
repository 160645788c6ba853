import { GatewayError } from '../contract/gateway-error.js';
import { type ArrivedRequest } from '../http/gateway-request.js';
import { discardRest } from '../http/discard-rest.js';

/** Why a request was refused, as its log line and the metrics name it. */
type Reason = 'memory' | 'load' | 'connections';

const MESSAGES: Record<Reason, string> = {
  memory: 'The gateway has no room for this request just now. Send it again in a moment.',
  load: 'The gateway has more calls than it can serve just now. Send it again in a moment.',
  connections:
    'The gateway has no connection to spare for this request. Send it again in a moment.',
};

/** A body that is left may be read to its end and thrown away; a longer one ends the connection. */
const SHORT_BODY_BYTES = 64 * 1024;

/**
 * Sheds a request, whose body, or the rest of it, is not read any more: its log line says why, and a
 * long body is thrown away and its connection ends with the answer, as it does where connections are what
 * there are too few of. The metrics have counted it where that was decided.
 *
 * @returns the 503 to be thrown or written, one and the same for all that are alike.
 */
export function shed(request: ArrivedRequest, reason: Reason): GatewayError {
  request.log.shed = reason;
  const isShort = Number(request.headers['content-length'] ?? Infinity) <= SHORT_BODY_BYTES;
  const goesOn = isShort && reason !== 'connections';
  if (!goesOn) discardRest(request);
  return (goesOn ? GOING_ON : CLOSING)[reason];
}

function unavailable(reason: Reason, after: { close?: true }): GatewayError {
  const details = { retryAfter: 1, ...after };
  return new GatewayError(503, 'provider_unavailable', MESSAGES[reason], details);
}

function ofEach(after: { close?: true }): Record<Reason, GatewayError> {
  return {
    memory: unavailable('memory', after),
    load: unavailable('load', after),
    connections: unavailable('connections', after),
  };
}

/** Made once: all are alike, and a stack for each would be a part of what a refusal costs. */
const GOING_ON = ofEach({});
const CLOSING = ofEach({ close: true });
