import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';

/** A request as it arrived. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly bytes: Buffer;
  readonly body: any;
}

/** What an upstream does with a request. */
export type Handler = (response: ServerResponse, request: Received) => void | Promise<void>;

/** A real HTTP server that answers as told and remembers what it was sent. */
export class FakeUpstream {
  readonly received: Received[] = [];
  /** Answers whose caller left before their end. */
  aborted = 0;
  /** Requests whose answer has neither ended nor been left. */
  open = 0;
  private handler: Handler = (response) => {
    response.writeHead(500).end();
  };

  private readonly server = createServer((request, response) => {
    this.open += 1;
    response.once('close', () => {
      this.open -= 1;
      if (!response.writableFinished) this.aborted += 1;
    });
    const left = (): void => undefined;
    void buffer(request).then((bytes) => {
      const text = bytes.toString();
      const received = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        text,
        bytes,
        body: parse(text),
      };
      this.received.push(received);
      return this.handler(response, received);
    }, left);
  });

  /** Answers every request with this JSON. */
  replies(status: number, body: unknown, headers: Record<string, string> = {}): void {
    this.answers((response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  }

  /** Answers every request with these server-sent bytes, in pieces. */
  streams(...pieces: (string | Buffer)[]): void {
    this.answers(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const piece of pieces) {
        response.write(piece);
        await new Promise((written) => setImmediate(written));
      }
      response.end();
    });
  }

  /**
   * Refuses the next request with `refusal`, and answers those after it with `body`, both as JSON.
   *
   * @returns when each of them came, by `performance.now()`.
   */
  refusesOnce(
    status: number,
    headers: Record<string, string>,
    body: unknown,
    refusal: unknown = {},
  ): readonly number[] {
    const times: number[] = [];
    this.answers((response) => {
      times.push(performance.now());
      const [code, answer, more] = times.length < 2 ? [status, refusal, headers] : [200, body, {}];
      response.writeHead(code, { 'content-type': 'application/json', ...more });
      response.end(JSON.stringify(answer));
    });
    return times;
  }

  /** Begins every answer with these server-sent bytes and never ends it; resolves with the first. */
  opens(head: string): Promise<ServerResponse> {
    return new Promise((resolve) => {
      this.answers((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(head);
        resolve(response);
      });
    });
  }

  answers(handler: Handler): void {
    this.handler = handler;
  }

  get last(): Received {
    const last = this.received.at(-1);
    if (!last) throw new Error('nothing was sent upstream');
    return last;
  }

  /** From now on further connections than this many are closed at once. */
  takes(connections: number): void {
    this.server.maxConnections = connections;
  }

  /** Open sockets, also those that only wait for another request. */
  get connections(): Promise<number> {
    return promisify(this.server.getConnections.bind(this.server))();
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  listen(): Promise<void> {
    return new Promise((listening) => this.server.listen(0, '127.0.0.1', listening));
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((closed) =>
      this.server.close(() => {
        closed();
      }),
    );
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
