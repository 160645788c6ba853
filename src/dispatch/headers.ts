import { GatewayError } from '../contract/gateway-error.js';
import { AGENT_ID_HEADER, SESSION_ID_HEADERS, sessionIdOf } from '../contract/session-id.js';
import { type Attempt } from '../contract/usage-record.js';
import { type Bill, type Target } from '../providers/provider.js';
import { type Call } from './call.js';
import { metadataOf } from './call-metadata.js';

/** Marks of an agent, and the names under which they are recorded. */
const AGENT_HEADERS = {
  [AGENT_ID_HEADER]: 'agent_id',
  'x-claude-code-parent-agent-id': 'parent_agent_id',
};

/** Marks that go on, so that a provider's caches can use them. */
const FORWARDED_HEADERS = [...SESSION_ID_HEADERS, ...Object.keys(AGENT_HEADERS)];

/** The session and the agent that a call is of, as far as it tells; undefined for none. */
export function sessionMarks({
  context,
  body,
}: Call): Readonly<Record<string, string>> | undefined {
  const session = sessionIdOf(context, body.value);
  const agents = Object.entries(AGENT_HEADERS).map(([name, mark]) => [mark, context.headers[name]]);
  const told = [['session_id', session], ...agents].filter(([, value]) => value);
  return told.length > 0 ? (Object.fromEntries(told) as Record<string, string>) : undefined;
}

/**
 * The caller's headers that go on to the provider: session marks, and `extra_headers` when this is
 * the provider that the caller meant and not a fallback's.
 */
export function forwardedHeaders(call: Call, { model }: Target): Record<string, string> {
  const forwarded: Record<string, string> = {};
  for (const name of FORWARDED_HEADERS) {
    const value = call.context.headers[name];
    if (value !== undefined) forwarded[name] = value;
  }
  const { extra_headers: extra } = call.body.value as { extra_headers?: unknown };
  if (typeof extra !== 'object' || extra === null) return forwarded;
  if (!call.requestedModel.startsWith(`${model.provider}/`)) return forwarded;
  for (const [name, value] of Object.entries(extra)) forwarded[name.toLowerCase()] = String(value);
  return forwarded;
}

/** Who served, after which tries, and for what; a stream's cost is in its last event instead. */
export function answerHeaders(
  { attempts }: Call,
  { model }: Target,
  bill?: Bill,
): Record<string, string> {
  return {
    'x-causeway-provider': model.provider,
    'x-causeway-model': model.id,
    ...attemptsHeader(attempts),
    ...(bill && { 'x-causeway-cost': bill.cost }),
  };
}

/** The error, telling as an answer does which models were tried. */
export function withAttempts(error: unknown, call: Call): unknown {
  const { attempts } = call;
  if (!(error instanceof GatewayError) || attempts.length === 0) return error;
  const { status, code, message, details } = error;
  const headers = { ...details.headers, ...attemptsHeader(attempts) };
  const metadata = metadataOf(call);
  const told = { ...details, headers, ...(metadata && { metadata }) };
  return new GatewayError(status, code, message, told);
}

/** Of more tries as many are listed from the beginning and from the end: clients bound their headers. */
const LISTED_TRIES = 20;

function attemptsHeader(attempts: readonly Attempt[]): Record<string, string> {
  const tries = attempts.map((attempt) => `${attempt.model}:${outcome(attempt)}`);
  const left = tries.length - 2 * LISTED_TRIES;
  if (left > 0) tries.splice(LISTED_TRIES, left, `+${left}`);
  return { 'x-causeway-attempts': tries.join(', ') };
}

function outcome({ status, cancelled, circuit }: Attempt): string {
  if (circuit) return `circuit_${circuit}`;
  if (cancelled) return 'cancelled';
  if (status === 200) return 'ok';
  return status === 0 ? 'no_answer' : String(status);
}
