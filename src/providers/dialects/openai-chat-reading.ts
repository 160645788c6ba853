import { GatewayError } from '../../contract/gateway-error.js';
import { type NeutralUsage } from '../../contract/neutral.js';
import { type Usage } from '../../contract/usage.js';
import { type CallContext } from '../provider.js';
import { shortened } from './openai-chat-names.js';

/** What a message or a stream's delta may hold; nothing of it is certain. */
export interface WireMessage {
  readonly content?: unknown;
  readonly refusal?: unknown;
  readonly reasoning_content?: unknown;
  readonly reasoning?: unknown;
  readonly reasoning_details?: unknown;
  readonly images?: unknown;
  readonly annotations?: unknown;
  readonly tool_calls?: unknown;
  readonly function_call?: unknown;
}

/** A tool call, or in a stream a piece of one. */
export interface WireCall {
  readonly index?: number | null;
  readonly id?: string | null;
  readonly function?: { readonly name?: string | null; readonly arguments?: unknown } | null;
}

/** Tool calls, also in the form that came before them (`function_call`). */
export function callsIn(message: WireMessage | null | undefined): readonly WireCall[] {
  const old = message?.function_call as WireCall['function'];
  const calls = old?.name || old?.arguments ? [{ index: 0, function: old }] : message?.tool_calls;
  return (listOf(calls) as (WireCall | null)[]).filter((call) => call !== null);
}

/** The provider's own ids; one that is missing or there twice is made from the call's id. */
export function toolIds(call: CallContext<'messages'>): (given?: string | null) => string {
  const taken = new Set<string>();
  return (given) => {
    // It comes back in the next turn, where OpenAI takes 40 characters.
    const id = given && !taken.has(given) ? given : shortened(`toolu_${taken.size}_${call.id}`, 40);
    taken.add(id);
    return id;
  };
}

/** @throws GatewayError 502 when there is no name to call the tool by. */
export function toolName(name: unknown): string {
  if (isText(name)) return name;
  throw brokenAnswer('The provider called a tool without a name.');
}

/** The counts as Anthropic names them. */
export function neutralUsage(usage: Usage): NeutralUsage {
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cache_creation_input_tokens: usage.cacheWriteTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
  };
}

/** Our own id of the answer, the same whenever it is asked for. */
export function messageId(call: CallContext<'messages'>): string {
  return `msg_${call.id.replace(/^req_/, '')}`;
}

/** The value if it is a list, else an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The 502 of an answer that is not what the format promises. */
export function brokenAnswer(message: string): GatewayError {
  return new GatewayError(502, 'upstream_error', message, { upstream: { status: 200 } });
}

/** The JSON object that a text is; undefined for any other text. */
export function parsedObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
