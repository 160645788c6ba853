import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { type Socket } from 'node:net';
import { familyOf } from '../contract/error-family.js';
import { GatewayError } from '../contract/gateway-error.js';
import { continueOnRead } from './continue-on-read.js';
import { LINGER_MS } from './discard-rest.js';
import { errorBody } from './error-bodies.js';
import { answerHalfClosed } from './half-closed.js';
import { type OpenResponses, openResponses } from './open-responses.js';
import { pathOf } from './path-of.js';
import { newRequestId } from './request-id.js';
import { cutUnreadRests } from './unread-rest.js';

/** Longer than the usual 60 s of a proxy in front, so that it is never us who closes first. */
const KEEP_ALIVE_MS = 75_000;
/**
 * How much longer than answers say (`Keep-Alive: timeout=75`), so that a request which a client sends
 * in the last moment does not meet a connection that is being closed, also when both are late.
 */
const KEEP_ALIVE_MORE_MS = 5_000;

/** Sets every time limit of the listening server, and answers what is no HTTP in JSON. */
export function limitServer(server: Server): void {
  server.headersTimeout = 10_000;
  // For the largest upload on a slow line. Other bodies, and silence, have limits of their own.
  server.requestTimeout = 900_000;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.keepAliveTimeoutBuffer = KEEP_ALIVE_MORE_MS;
  server.maxHeadersCount = 200;
  // The type declarations know these as options only. The first is read when the server begins to
  // listen; without the second Node itself would refuse a request without a host, with no body.
  Object.assign(server, { connectionsCheckingInterval: 1_000, requireHostHeader: false });
  const open = openResponses(server);
  answerHalfClosed(server, open);
  continueOnRead(server);
  cutUnreadRests(server);
  refuseBroken(server, open);
  refuseOdd(server, open);
}

/** Answers what Node would answer without a body, or not at all. */
function refuseOdd(server: Server, open: OpenResponses): void {
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    const refuse = (): void => {
      socket.end(refusal(501, newRequestId()));
      socket.destroySoon();
    };
    // Node has let go of the connection: nobody else listens, and a reset would end the process.
    socket.on('error', () => undefined);
    const responses = open.get(socket) ?? [];
    const last = responses.at(-1);
    if (!last) {
      refuse();
      return;
    }
    // Answers that are on their way come first. Who does not read would not notice that their caller leaves.
    last.once('close', () => {
      if (socket.writable) refuse();
    });
    socket.once('data', () => socket.destroy());
    socket.once('close', () => {
      for (const response of [...responses]) response.destroy();
    });
  });
  // An expectation that is not known may be passed over:
  // https://www.rfc-editor.org/rfc/rfc9110#section-10.1.1
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
}

/** Refuses what cannot be read as HTTP. Answers that are on their way come first. */
function refuseBroken(server: Server, open: OpenResponses): void {
  /** What such a connection brings after that is broken, too. */
  const waiting = new WeakSet<Socket>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (waiting.has(socket) && socket.writable) return;
    const response = open.get(socket)?.at(-1);
    const refuse = (id: unknown, path?: string): void => {
      socket.end(refusal(STATUS_OF[error.code ?? ''] ?? 400, String(id), path));
      // Some read it late, and some never, nor do they hang up.
      const cut = setTimeout(() => socket.destroy(), LINGER_MS).unref();
      socket.once('close', () => {
        clearTimeout(cut);
      });
    };
    // It is the response's own request that is broken, in its body; or a later one than that.
    const isOwn = response?.req.complete === false;
    if (!socket.writable || (isOwn && (response.headersSent || !isNext(response)))) {
      socket.destroy();
    } else if (isOwn) {
      refuse(response.getHeader('x-request-id'), pathOf(response.req));
    } else if (response) {
      waiting.add(socket);
      response.once('close', () => {
        if (socket.writable) refuse(newRequestId());
      });
    } else {
      refuse(newRequestId());
    }
  });
}

/** Whether the answers to earlier requests of its connection are over. */
function isNext(response: ServerResponse): boolean {
  return response.socket !== null;
}

const STATUS_OF: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** What no path is known of is told in OpenAI's form, as unknown paths are. */
function refusal(status: number, requestId: string, path = ''): string {
  const reason = STATUS_CODES[status] ?? 'Bad Request';
  const code = status === 408 ? 'request_timeout' : 'invalid_request';
  const error = new GatewayError(status, code, reason);
  const body = JSON.stringify(errorBody(error, familyOf(path), requestId));
  return [
    `HTTP/1.1 ${status} ${reason}`,
    'connection: close',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    `request-id: ${requestId}`,
    '',
    body,
  ].join('\r\n');
}
