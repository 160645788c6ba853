import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { discardRest } from './discard-rest.js';

/**
 * Tells callers who wait for it (`Expect: 100-continue`) to send their bodies, when those are about to be
 * read: whoever is refused by the head alone need not send one. https://www.rfc-editor.org/rfc/rfc9110#section-10.1.1
 */
export function continueOnRead(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    let isTold = false;
    request.once('resume', () => {
      if (response.headersSent) return;
      isTold = true;
      response.writeContinue();
    });
    // Node closes the connection then; some callers do not wait for long, and send all the same.
    response.once('prefinish', () => {
      if (!isTold) discardRest(request);
    });
    server.emit('request', request, response);
  });
}
