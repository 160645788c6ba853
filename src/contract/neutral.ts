import { type Fields, membersOf } from '../json/values.js';
import { tokenCount } from './usage.js';

/**
 * The neutral shape of a conversation: Anthropic's Messages API, which carries thinking, tool
 * results and caching without loss. Only the fields that a translation reads are named; the rest
 * travels with them. https://docs.anthropic.com/en/api/messages
 */
export interface NeutralBlock {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** What a Messages request that names no `max_tokens` asks for. */
export const USUAL_MAX_TOKENS = 1_024;

/** What a model is told that is to answer with JSON of any form, where its format has no field for that. */
export const JSON_ONLY =
  'Answer with one JSON object and nothing else: no other text, no code fences.';

/** What one side says before the other does. */
export interface NeutralTurn {
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: string | readonly NeutralBlock[];
}

/** A conversation and how it is to be answered. */
export interface NeutralRequest {
  readonly model: string;
  readonly messages: readonly NeutralTurn[];
  readonly max_tokens?: number;
  readonly system?: string | readonly NeutralBlock[];
  readonly temperature?: number;
  readonly top_p?: number;
  readonly top_k?: number;
  readonly stream?: boolean;
  readonly stop_sequences?: readonly string[];
  readonly tools?: readonly Readonly<Record<string, unknown>>[];
  readonly tool_choice?: Readonly<Record<string, unknown>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly thinking?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/**
 * The tokens of a conversation as Anthropic counts them: the input without what the cache read and
 * wrote.
 */
export interface NeutralUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_creation_input_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly [field: string]: unknown;
}

/** The answer to a conversation. */
export interface NeutralMessage {
  readonly id: string;
  readonly type: 'message';
  readonly role: 'assistant';
  readonly model: string;
  readonly content: readonly NeutralBlock[];
  readonly stop_reason: string | null;
  readonly stop_sequence: string | null;
  /** Of type `refusal` where the model declined or a filter cut the answer. */
  readonly stop_details?: unknown;
  /** Undefined when the provider reported nothing usable. */
  readonly usage: NeutralUsage | undefined;
}

/** Why an answer ended: what its message, or the last delta of its stream, tells. */
export type Ended = Pick<NeutralMessage, 'stop_reason' | 'stop_details'>;

/** What a stream tells of its end until then. */
export const NOT_ENDED: Ended = { stop_reason: null };

/** Why a stream ended, by one more of its deltas and what those before it told. */
export function endedBy(delta: Fields | undefined, before: Ended): Ended {
  const { stop_reason, stop_details } = delta ?? {};
  return {
    stop_reason: typeof stop_reason === 'string' ? stop_reason : before.stop_reason,
    stop_details: stop_details ?? before.stop_details,
  };
}

/** Whether the model declined, or a filter of the provider's ended the answer. */
export function wasRefused({ stop_reason, stop_details }: Ended): boolean {
  return stop_reason === 'refusal' || membersOf(stop_details).type === 'refusal';
}

/** Why the model declined, where the provider says it. */
export function refusalOf({ stop_reason, stop_details }: Ended): string | null {
  const { explanation } = membersOf(stop_details);
  return stop_reason === 'refusal' && typeof explanation === 'string' ? explanation : null;
}

/** The tokens of thinking that a usage of the neutral shape tells of; undefined where it tells of none. */
export function thinkingTokens(usage: unknown): number | undefined {
  return tokenCount(membersOf(membersOf(usage).output_tokens_details).thinking_tokens);
}
