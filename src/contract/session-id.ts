import { type RequestContext } from './caller.js';

/** Headers by which clients and coding agents name a conversation; the first that says something counts. */
export const SESSION_ID_HEADERS = [
  'x-session-id',
  'x-claude-code-session-id',
  // Codex, and its older versions.
  'session-id',
  'session_id',
  'x-opencode-session',
  'x-session-affinity',
] as const;

/**
 * What the client calls its conversation, in the body or else in a header; nobody has checked it.
 * Undefined where it says nothing.
 */
export function sessionIdOf(
  { headers }: Pick<RequestContext, 'headers'>,
  body: object,
): string | undefined {
  const { session_id: own } = body as { session_id?: unknown };
  if (typeof own === 'string' && own !== '') return own;
  return SESSION_ID_HEADERS.map((name) => headers[name]).find(Boolean);
}
