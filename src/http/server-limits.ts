import { type Server, STATUS_CODES } from 'node:http';
import { type Socket } from 'node:net';
import { answerHalfClosed } from './half-closed.js';

/** Longer than the usual 60 s of a proxy in front, so that it is never us who closes first. */
const KEEP_ALIVE_MS = 75_000;
/**
 * How much longer than answers say (`Keep-Alive: timeout=75`), so that a request which a client sends
 * in the last moment does not meet a connection that is being closed.
 */
const KEEP_ALIVE_MORE_MS = 1_000;

/** Sets every time limit of the listening server, and answers what is no HTTP in JSON. */
export function limitServer(server: Server): void {
  server.headersTimeout = 10_000;
  // For the largest upload on a slow line. Other bodies, and silence, have limits of their own.
  server.requestTimeout = 900_000;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.keepAliveTimeoutBuffer = KEEP_ALIVE_MORE_MS;
  server.maxHeadersCount = 200;
  // Read when the server begins to listen; the type declarations know it as an option only.
  Object.assign(server, { connectionsCheckingInterval: 1_000 });
  answerHalfClosed(server);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || socket.bytesWritten > 0) {
      socket.destroy();
      return;
    }
    socket.end(refusal(STATUS_OF[error.code ?? ''] ?? 400));
  });
}

const STATUS_OF: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

function refusal(status: number): string {
  const reason = STATUS_CODES[status] ?? 'Bad Request';
  const error = { message: reason, type: 'invalid_request_error', param: null, code: null };
  const body = JSON.stringify({ error });
  return [
    `HTTP/1.1 ${status} ${reason}`,
    'connection: close',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}
