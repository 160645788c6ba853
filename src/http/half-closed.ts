import { type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type OpenResponses } from './open-responses.js';

/** A comment disturbs no stream; an answer that comes at once is better without anything before it. */
const FIRST_PAUSE_MS = { beforeHead: 50, inStream: 5 };
/** It takes two probes to notice who has gone, and that within a second. */
const LONGEST_PAUSE_MS = 400;

/**
 * Answers callers that have closed their half of the connection and read on, as TCP lets them. One
 * that has gone looks the same until it is sent something, so before and between the bytes of its
 * answer it is sent what changes nothing; whoever is not there resets it, and has hung up.
 */
export function answerHalfClosed(server: Server, open: OpenResponses): void {
  // Read when a connection ends; the type declarations do not know it.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('connection', (socket: Socket) => {
    socket.once('end', () => void watch(open.get(socket) ?? []));
  });
}

/**
 * Node notices a reset when it writes again, so there is always another probe. Only the first one of a
 * connection's responses is written at once.
 */
async function watch(responses: readonly ServerResponse[]): Promise<void> {
  const [first] = responses;
  // HTTP/1.0 has nothing to probe with, and some proxies speak it: there the end of the request's side is the
  // end, or whoever hangs up would not be noticed, and pay for the whole answer.
  if (first?.req.httpVersion === '1.0') first.destroy();
  let ms = FIRST_PAUSE_MS[first?.headersSent ? 'inStream' : 'beforeHead'];
  while (responses.length > 0) {
    await delay(ms, undefined, { ref: false });
    ms = Math.min(2 * ms, LONGEST_PAUSE_MS);
    probe(responses[0]);
  }
}

/** https://www.rfc-editor.org/rfc/rfc9110#section-15.2, and a comment inside of a stream. */
function probe(response: ServerResponse | undefined): void {
  if (!response || response.destroyed || response.writableEnded) return;
  if (!response.headersSent) response.writeProcessing();
  else if (String(response.getHeader('content-type')).startsWith('text/event-stream')) {
    response.write(':\n\n');
  }
}
