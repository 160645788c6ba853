import { filteredStop, type Stop } from '../neutral-answer.js';

/** Why an answer ended, as far as the provider tells. */
export interface Ending {
  readonly finish_reason?: unknown;
  /** The text that ended it, in vLLM's and SGLang's words. */
  readonly stop_reason?: unknown;
  readonly matched_stop?: unknown;
}

/** Why the answer ended, in the four words that the contract allows; null for anything else. */
export function stopOf(
  { finish_reason, stop_reason, matched_stop }: Ending,
  { calls, sequences }: { calls: number; sequences: readonly string[] | undefined },
): Stop {
  if (isFiltered(finish_reason)) return filteredStop();
  const reason = STOP_REASONS.get(finish_reason) ?? null;
  if (reason !== 'end_turn') return { stop_reason: reason, stop_sequence: null };
  // A call that was forced by `tool_choice` ends with `stop`, and agents wait for `tool_use`.
  if (calls > 0) return { stop_reason: 'tool_use', stop_sequence: null };
  const sequence = sequences?.find((text) => text === stop_reason || text === matched_stop);
  return sequence === undefined
    ? { stop_reason: reason, stop_sequence: null }
    : { stop_reason: 'stop_sequence', stop_sequence: sequence };
}

/** By OpenAI's word, or by Z.ai's. */
export function isFiltered(reason: unknown): boolean {
  return reason === 'content_filter' || reason === 'sensitive';
}

/** Beside OpenAI's words those of Together and Hugging Face, and Mistral's and Z.ai's for a full context. */
const STOP_REASONS: ReadonlyMap<unknown, string> = new Map([
  ['stop', 'end_turn'],
  ['eos', 'end_turn'],
  ['eos_token', 'end_turn'],
  ['end_turn', 'end_turn'],
  ['stop_sequence', 'stop_sequence'],
  ['length', 'max_tokens'],
  ['max_tokens', 'max_tokens'],
  ['model_length', 'max_tokens'],
  ['model_context_window_exceeded', 'max_tokens'],
  ['tool_calls', 'tool_use'],
  ['tool_use', 'tool_use'],
  ['function_call', 'tool_use'],
]);
