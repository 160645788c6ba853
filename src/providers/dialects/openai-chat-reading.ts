import { GatewayError } from '../../contract/gateway-error.js';
import { type NeutralUsage } from '../../contract/neutral.js';
import { tokenCount, type Usage } from '../../contract/usage.js';
import { type CallContext } from '../provider.js';
import { shortened } from './openai-chat-names.js';
import { openaiUsage } from './usage.js';

/** What a message or a stream's delta may hold; nothing of it is certain. */
export interface WireMessage {
  readonly content?: unknown;
  readonly refusal?: unknown;
  readonly reasoning_content?: unknown;
  readonly reasoning?: unknown;
  readonly tool_calls?: unknown;
  readonly function_call?: unknown;
}

/** A tool call, or in a stream a piece of one. */
export interface WireCall {
  readonly index?: number | null;
  readonly id?: string | null;
  readonly function?: { readonly name?: string | null; readonly arguments?: unknown } | null;
}

/** What the model said or thought. */
export interface Spoken {
  readonly kind: 'text' | 'thinking';
  readonly text: string;
}

/**
 * Thinking, then text, then a refusal, as far as there is any. `reasoning_content` and `reasoning`
 * are what compatible servers call the thinking, and Mistral sends parts of both kinds:
 * https://api-docs.deepseek.com/guides/reasoning_model, https://docs.mistral.ai/capabilities/reasoning
 */
export function* spokenIn(message: WireMessage | null | undefined): Generator<Spoken> {
  const { content, refusal, reasoning_content: reasoned, reasoning } = message ?? {};
  yield* spoken('thinking', isText(reasoned) ? reasoned : reasoning);
  yield* spoken('text', content);
  for (const part of listOf(content) as (WirePart | null)[]) {
    yield* spoken('text', part?.type === 'text' ? part.text : undefined);
    for (const thought of listOf(part?.thinking) as (WirePart | null)[]) {
      yield* spoken('thinking', thought?.text);
    }
  }
  yield* spoken('text', refusal);
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

/** Why the answer ended, in the four words that the contract allows; null for anything else. */
export function stopReason(finish: unknown, calls: number): string | null {
  // A call that was forced by `tool_choice` ends with `stop`, and agents wait for `tool_use`.
  if (finish === 'stop' && calls > 0) return 'tool_use';
  return STOP_REASONS.get(finish) ?? null;
}

/** Undefined also when the output is not told, which a price depends on. */
export function chatUsage(wire: unknown): Usage | undefined {
  const completion = (wire as { completion_tokens?: unknown } | null | undefined)
    ?.completion_tokens;
  return tokenCount(completion) === undefined ? undefined : openaiUsage(wire);
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

/** `eos` is what some compatible servers say for `stop`. */
const STOP_REASONS: ReadonlyMap<unknown, string> = new Map([
  ['stop', 'end_turn'],
  ['eos', 'end_turn'],
  ['eos_token', 'end_turn'],
  ['length', 'max_tokens'],
  ['tool_calls', 'tool_use'],
  ['function_call', 'tool_use'],
]);

interface WirePart {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly thinking?: unknown;
}

function* spoken(kind: Spoken['kind'], text: unknown): Generator<Spoken> {
  if (isText(text)) yield { kind, text };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
