import { type Socket } from 'node:net';
import { buildConnector } from 'undici';
import { withoutInterim } from './without-interim.js';

/** How long a connection that takes nothing more is read on; one that was reset ends by itself before that. */
const READ_ON_MS = 250;

/**
 * Makes connections on which an answer is heard that comes before the request was sent whole, such as a 413,
 * also where the provider closes behind it: what is still sent is refused then, and Node would end the
 * connection at once, with the answer unread. https://www.rfc-editor.org/rfc/rfc9112#section-9.6
 * Interim answers (1xx) before it are passed over.
 */
export function hearingConnector(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options);
  return (to, done) => {
    connect(to, (...made) => {
      const [, socket] = made;
      if (socket) {
        hearLastWords(socket);
        withoutInterim(socket);
      }
      done(...made);
    });
  };
}

type Write = (error?: Error | null) => void;

/** Has a write that failed say so only when what had come by then was read. */
function hearLastWords(socket: Socket): void {
  const write = socket._write.bind(socket);
  const writev = socket._writev?.bind(socket);
  const later = (done: Write): Write => {
    return (error) => {
      if (error) setTimeout(done, READ_ON_MS, error);
      else done();
    };
  };
  socket._write = (chunk, encoding, done) => {
    write(chunk, encoding, later(done));
  };
  if (writev) {
    socket._writev = (chunks, done) => {
      writev(chunks, later(done));
    };
  }
}
