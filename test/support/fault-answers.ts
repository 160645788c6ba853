import { type ServerResponse } from 'node:http';
import { type Received } from './fake-upstream.js';
import { messageEvent } from './provider-answers.js';

/** The requests that every fault is tried on: a path of the gateway's and a body. */
export const REQUESTS = {
  messages: ['/v3/v1/messages', { model: 'anthropic/claude-haiku-4-5', messages: [] }],
  stream: ['/v3/v1/messages', { model: 'anthropic/claude-haiku-4-5', messages: [], stream: true }],
  embeddings: ['/v3/embeddings', { model: 'openai/text-embedding-3-small', input: 'Hello' }],
  images: ['/v3/images/generations', { model: 'openai/gpt-image-1', prompt: 'A cat' }],
} as const;
export type Kind = keyof typeof REQUESTS;
export const KINDS = Object.keys(REQUESTS) as Kind[];

export const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text: 'ok' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 12 },
};
const VECTORS = {
  object: 'list',
  model: 'm',
  data: [{ object: 'embedding', index: 0, embedding: [0.1, 0.2] }],
  usage: { prompt_tokens: 3, total_tokens: 3 },
};
const IMAGE = {
  created: 1,
  data: [{ b64_json: 'iVBORw0KGgoAAAANSUhEUg==' }],
  usage: { input_tokens: 5, output_tokens: 5, total_tokens: 10 },
};

/** The first event of a stream; it reports its input. */
export function streamStart(usage: object = { input_tokens: 10, output_tokens: 1 }): string {
  return messageEvent('message_start', { message: { ...MESSAGE, content: [], usage } });
}

/** A text block that brings this text. */
export function textBlock(...texts: readonly string[]): string {
  const deltas = texts.map((text) =>
    messageEvent('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
  );
  return [
    messageEvent('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    ...deltas,
    messageEvent('content_block_stop', { index: 0 }),
  ].join('');
}

/** The two last events of a stream. */
export function streamEnd(usage: object | undefined = { output_tokens: 12 }): string {
  const delta = { stop_reason: 'end_turn', stop_sequence: null };
  return messageEvent('message_delta', { delta, usage }) + messageEvent('message_stop');
}

export const GOOD_STREAM = streamStart() + textBlock('héllo ', 'wörld 😀') + streamEnd();

export const isStream = ({ body }: Received): boolean => body?.stream === true;

/** What a good provider answers whole, as an object that may be changed. */
export function goodObject({ path }: Received): Record<string, unknown> {
  if (path.includes('images')) return { ...IMAGE };
  return { ...(path.includes('embeddings') ? VECTORS : MESSAGE) };
}

export function goodText(request: Received): string {
  return isStream(request) ? GOOD_STREAM : JSON.stringify(goodObject(request));
}

/** Begins an answer, a good one unless said. */
export function begin(
  response: ServerResponse,
  request: Received,
  headers = {},
  status = 200,
): void {
  const type = isStream(request) ? 'text/event-stream' : 'application/json';
  response.writeHead(status, { 'content-type': type, ...headers });
}

/** Answers well. */
export function good(response: ServerResponse, request: Received): void {
  begin(response, request);
  response.end(goodText(request));
}
