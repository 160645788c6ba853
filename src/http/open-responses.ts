import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';

/** The responses of each connection that are not over, in the order of their requests. */
export type OpenResponses = ReadonlyMap<Socket, readonly ServerResponse[]>;

/** Begins to keep the list of a server. Requests may follow one another without waiting, so there may be several. */
export function openResponses(server: Server): OpenResponses {
  // Until they are over: a connection that is kept alive must not keep its last request in memory, too.
  const open = new Map<Socket, ServerResponse[]>();
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const responses = open.get(socket) ?? [];
    responses.push(response);
    open.set(socket, responses);
    response.once('close', () => {
      responses.splice(responses.indexOf(response), 1);
      if (responses.length === 0) open.delete(socket);
    });
  });
  return open;
}
