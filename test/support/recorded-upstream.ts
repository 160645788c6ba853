import { type ServerResponse } from 'node:http';
import { type RecordedChat } from './recorded-chats.js';

/**
 * Answers with a recording's own bytes, whole or in chunks of so many bytes, each of which reaches
 * the gateway as a chunk of its own.
 */
export function replay({ response: recorded }: { response: Answer }, chunkBytes = Infinity) {
  const bytes = answerBytes(recorded);
  return async (response: ServerResponse): Promise<void> => {
    response.writeHead(recorded.status, answerHeaders(recorded));
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      response.write(bytes.subarray(at, at + chunkBytes));
      // Node makes one chunk of what is written in the same round of the event loop.
      await new Promise((written) => setImmediate(written));
    }
    response.end();
  };
}

type Answer = RecordedChat['response'];

function answerBytes(recorded: Answer): Buffer {
  const { sse_eol: lineEnd, body, ndjson, body_base64: bytes } = recorded;
  if (bytes !== undefined) return Buffer.from(bytes, 'base64');
  const lines = ndjson ?? recorded.sse;
  if (lines) {
    const end = lineEnd === 'CRLF' ? '\r\n' : '\n';
    const closed = lines.at(-1) === '' ? lines : [...lines, ''];
    return Buffer.from(closed.map((line) => line + end).join(''));
  }
  // A list is what came before Google was asked for events.
  if (Array.isArray(body) && recorded.status === 200) {
    return Buffer.from(body.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join(''));
  }
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function mediaType({ body, sse, ndjson, eventstream, status }: Answer): string | undefined {
  if (eventstream) return 'application/vnd.amazon.eventstream';
  // One recorder wrote down another media type than the provider's for a stream, and another kept
  // lines of JSON with the lines of events.
  const isJson = sse?.find((line) => line !== '')?.startsWith('{') === true;
  if (ndjson ?? isJson) return 'application/x-ndjson';
  const isEvents = sse ?? (Array.isArray(body) && status === 200);
  return isEvents ? 'text/event-stream; charset=utf-8' : undefined;
}

function answerHeaders(recorded: Answer): Record<string, string> {
  const kept = Object.entries(recorded.headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !OF_THE_CONNECTION.has(name) && !name.startsWith('x-recorded-'))
    .filter(([, value]) => !/[^\x20-\x7e\t]/.test(value));
  const stream = mediaType(recorded);
  return {
    'content-type': typeof recorded.body === 'string' ? 'text/plain' : 'application/json',
    ...Object.fromEntries(kept),
    ...(stream && { 'content-type': stream }),
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
