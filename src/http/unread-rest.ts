import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** As long as a body may take that is read, and more than the largest upload brings. */
const MOST: Rest = { ms: 60_000, bytes: 128 * 2 ** 20 };
const LOOK_MS = 100;

/** What may still come behind an answer. */
interface Rest {
  readonly ms: number;
  readonly bytes: number;
}

/**
 * Cuts a connection whose request still sends its body a minute after it was answered without that, such
 * as one without a key, or sends far too much: Node throws the rest away, but waits for its end.
 *
 * @param most from the end of the answer.
 */
export function cutUnreadRests(server: Server, most = MOST): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    // Before Node's own listener, behind which the pieces of the rest are no longer told.
    response.prependOnceListener('finish', () => {
      if (request.complete) return;
      request.resume();
      const { socket } = request;
      const endsAt = performance.now() + most.ms;
      const endsBehind = socket.bytesRead + most.bytes;
      const look = setInterval(() => {
        if (performance.now() > endsAt || socket.bytesRead > endsBehind) socket.destroy();
      }, LOOK_MS).unref();
      request.once('close', () => {
        clearInterval(look);
      });
    });
  });
}
