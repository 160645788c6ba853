import { type IncomingMessage } from 'node:http';
import { GatewayError } from '../contract/gateway-error.js';

/**
 * Throws away what is still to come of a body that is not read to its end, for an answer after which
 * the connection closes. Closed at once, with bytes left unread, it would be reset, and the caller
 * would see that instead of the answer.
 */
export function discardRest(request: IncomingMessage): void {
  if (request.complete) return;
  // Until the answer has been written it waits at its sender.
  request.pause();
  const { socket } = request;
  // What Node calls when such an answer has been written.
  socket.destroySoon = () => {
    request.resume();
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

/** How long a connection is left open for an answer to be read, while its caller may go on sending. */
export const LINGER_MS = 2_000;

/** Gives up on a request whose body is not read to its end: the connection closes after the error. */
export function cutOff(request: IncomingMessage, error: GatewayError): GatewayError {
  if (request.complete) return error;
  discardRest(request);
  const { status, code, message, details } = error;
  return new GatewayError(status, code, message, { ...details, close: true });
}
