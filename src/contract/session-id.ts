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
  // Goose.
  'agent-session-id',
] as const;

/**
 * What the client calls its conversation, in the body or else in a header or in the name of its user;
 * nobody has checked it. Undefined where it says nothing.
 */
export function sessionIdOf(
  { headers }: Pick<RequestContext, 'headers'>,
  body: object,
): string | undefined {
  const { session_id: own, metadata } = body as { session_id?: unknown; metadata?: Metadata };
  if (typeof own === 'string' && own !== '') return own;
  const header = SESSION_ID_HEADERS.map((name) => headers[name]).find(Boolean);
  return header ?? sessionOfUser(metadata?.user_id);
}

/**
 * The agent of several in one session that the client says it is, where its own id does not tell them apart.
 */
export function agentIdOf(
  { headers }: Pick<RequestContext, 'headers'>,
  { session_id: own }: { readonly session_id?: unknown },
): string | undefined {
  return typeof own === 'string' && own !== '' ? undefined : headers[AGENT_ID_HEADER];
}

/** The header in which Claude Code names one of the agents that its main one has called. */
export const AGENT_ID_HEADER = 'x-claude-code-agent-id';

type Metadata = { readonly user_id?: unknown } | null;

/**
 * Claude Code has always named its session in `metadata.user_id`, and only later in a header:
 * `user_…_account_…_session_…`, and since 2.1.78 a JSON text with `session_id`.
 */
function sessionOfUser(user: unknown): string | undefined {
  if (typeof user !== 'string' || user.length > MOST_OF_USER) return undefined;
  const [, named, written] = USER_WITH_SESSION.exec(user) ?? [];
  return named ?? written;
}

const MOST_OF_USER = 1_024;
const USER_WITH_SESSION =
  /_account_[\w-]{0,64}_session_([\w-]{1,128})$|^\{.*"session_id" ?: ?"([\w.:-]{1,128})"/s;
