import { expect } from '@jest/globals';
import { type RecordedChat } from './recorded-chats.js';

type Json = Record<string, any>;

/** Proves that a provider's refusal came through: its status, its words where the caller can act on them. */
export function refusedAs(
  { status, body, sse }: RecordedChat['response'],
  reply: { status: number; body: Json; headers: Json },
  path: string,
): void {
  const isMessages = path.endsWith('messages');
  const want = STATUS_OF[status] ?? (status < 500 && !HIDDEN.has(status) ? 400 : 502);
  expect(reply.status).toBe(want);
  expect(reply.headers['content-type']).toMatch(/^application\/json/);
  const { error } = reply.body;
  const [openai, anthropic] = TYPES_OF[want]!;
  expect(error.type).toBe(isMessages ? anthropic : openai);
  if (isMessages)
    expect(reply.body).toMatchObject({ type: 'error', request_id: expect.any(String) });
  const said = wordsOf(body ?? sse?.join('\n'));
  if (said === undefined) return;
  // Of the gateway's own account, only what gives no credential away is told.
  const isTold = status === 402 || status === 405;
  const isHidden = !isTold && (want === 502 || want === 504);
  expect(error.message.includes(said.slice(0, 900))).toBe(!isHidden);
  if (want === 429) expect(reply.headers['retry-after']).toMatch(/^[1-9]\d*$/);
}

/** What the provider said, in whichever of the usual shapes. */
function wordsOf(body: any): string | undefined {
  if (Array.isArray(body)) return wordsOf(body[0]);
  if (typeof body === 'string') return plainWords(body);
  const { error, message, detail } = body ?? {};
  if (typeof error === 'string') return error;
  return [error?.message, message, detail, detail?.[0]?.msg, message?.detail?.[0]?.msg].find(
    (words) => typeof words === 'string' && words !== '',
  );
}

function plainWords(text: string): string | undefined {
  if (/^\s*[[{]/.test(text)) return wordsOf(JSON.parse(text));
  return /^\s*(<|data:)/.test(text) ? undefined : text.trim();
}

const HIDDEN = new Set([401, 402, 403, 405, 407]);
const STATUS_OF: Readonly<Record<number, number>> = {
  404: 404,
  408: 504,
  409: 409,
  413: 413,
  429: 429,
  504: 504,
};

/** The types of an error, to clients of OpenAI and of Anthropic. */
const TYPES_OF: Readonly<Record<number, readonly [string, string]>> = {
  400: ['invalid_request_error', 'invalid_request_error'],
  404: ['invalid_request_error', 'not_found_error'],
  413: ['invalid_request_error', 'request_too_large'],
  429: ['rate_limit_error', 'rate_limit_error'],
  502: ['upstream_error', 'api_error'],
  504: ['upstream_timeout', 'timeout_error'],
};
