import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** As long as a body may take that is read. */
const MOST_MS = 60_000;

/**
 * Cuts a connection whose request still sends its body a minute after it was answered without that, such
 * as one without a key: Node throws the rest away, but waits for its end.
 *
 * @param mostMs milliseconds from the end of the answer.
 */
export function cutUnreadRests(server: Server, mostMs = MOST_MS): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    response.once('finish', () => {
      if (request.complete) return;
      const cut = setTimeout(() => request.socket.destroy(), mostMs).unref();
      request.once('close', () => {
        clearTimeout(cut);
      });
    });
  });
}
