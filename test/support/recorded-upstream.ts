import { type ServerResponse } from 'node:http';
import { type Recording } from './recorded-corpus.js';

/**
 * Answers with a recording's own bytes, whole or in chunks of so many bytes, each of which reaches
 * the gateway as a chunk of its own.
 */
export function replay({ response: recorded }: Recording, chunkBytes = Infinity) {
  const bytes = answerBytes(recorded);
  return async (response: ServerResponse): Promise<void> => {
    response.writeHead(recorded.status, answerHeaders(recorded));
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      response.write(bytes.subarray(at, at + chunkBytes));
      // Node makes one chunk of what is written in the same turn.
      await new Promise((written) => setImmediate(written));
    }
    response.end();
  };
}

function answerBytes({ sse, sse_eol: lineEnd, body }: Recording['response']): Buffer {
  if (!sse) return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const end = lineEnd === 'CRLF' ? '\r\n' : '\n';
  const closed = sse.at(-1) === '' ? sse : [...sse, ''];
  return Buffer.from(closed.map((line) => line + end).join(''));
}

function answerHeaders({ headers, sse }: Recording['response']): Record<string, string> {
  const kept = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !OF_THE_CONNECTION.has(name) && !name.startsWith('x-recorded-'));
  return {
    'content-type': 'application/json',
    ...Object.fromEntries(kept),
    // One recorder wrote down another media type than the provider's for a stream.
    ...(sse && { 'content-type': 'text/event-stream; charset=utf-8' }),
  };
}

/** The stored body is decoded and unframed, so these no longer describe it. */
const OF_THE_CONNECTION = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'keep-alive',
  'transfer-encoding',
]);
