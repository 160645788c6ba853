import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';

/** The response to the latest request of each connection, until it is over. */
export function latestResponses(server: Server): ReadonlyMap<Socket, ServerResponse> {
  // Until it is over: a connection that is kept alive must not keep its last request in memory, too.
  const latest = new Map<Socket, ServerResponse>();
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    latest.set(socket, response);
    response.once('close', () => {
      if (latest.get(socket) === response) latest.delete(socket);
    });
  });
  return latest;
}
