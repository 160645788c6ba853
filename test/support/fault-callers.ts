import { randomUUID } from 'node:crypto';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { type Kind, REQUESTS } from './fault-answers.js';

/** Where a caller's requests go, and with which key. */
export interface Gate {
  readonly url: string;
  readonly key: string;
}

/** What a caller got. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly id: string;
  readonly ms: number;
}

/** Asks for something and waits for the whole answer. */
export async function asks(
  { url, key }: Gate,
  request: Kind | readonly [string, object],
  fields = {},
): Promise<Reply> {
  const [path, body] = typeof request === 'string' ? REQUESTS[request] : request;
  const id = randomUUID();
  const startedAt = performance.now();
  const reply = await fetch(url + path, {
    method: 'POST',
    headers: headersOf(key, id),
    body: JSON.stringify({ ...body, ...fields }),
  });
  const text = await reply.text();
  const ms = performance.now() - startedAt;
  return { status: reply.status, headers: reply.headers, text, id, ms };
}

/** A request whose caller may hang up. */
export interface Asking {
  readonly id: string;
  readonly request: ClientRequest;
  /** Resolves when this much of the body has come. */
  readonly seen: (part: string) => Promise<void>;
}

/** Asks for something and takes what comes until somebody hangs up. */
export function asking({ url, key }: Gate, asked: Kind | readonly [string, object]): Asking {
  const [path, body] = typeof asked === 'string' ? REQUESTS[asked] : asked;
  const id = randomUUID();
  const request = httpRequest(url + path, { method: 'POST', headers: headersOf(key, id) });
  let come = '';
  const waiting: { part: string; resolve: () => void }[] = [];
  request.on('error', () => undefined);
  request.once('response', (response) => {
    response.on('error', () => undefined);
    response.setEncoding('utf8').on('data', (piece: string) => {
      come += piece;
      for (const { part, resolve } of waiting) if (come.includes(part)) resolve();
    });
  });
  request.end(JSON.stringify(body));
  const seen = (part: string) =>
    new Promise<void>((resolve) => {
      waiting.push({ part, resolve });
      if (come.includes(part)) resolve();
    });
  return { id, request, seen };
}

function headersOf(key: string, id: string): Record<string, string> {
  return {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'x-request-id': id,
  };
}
