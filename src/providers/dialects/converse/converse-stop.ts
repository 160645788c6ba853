import { type NeutralRequest } from '../../../contract/neutral.js';
import { filteredStop, type Stop } from '../neutral-answer.js';

/** How an answer ended, as Converse tells it. */
export interface ConverseStop {
  readonly stopReason?: unknown;
  readonly additionalModelResponseFields?: unknown;
}

/**
 * Why an answer ended, in the four words that the contract allows; null for a guardrail's or a
 * filter's doing and for what is unknown. Converse does not say which stop sequence was met: it is
 * known where one alone was asked for, or the caller had the model's own word sent along.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 */
export function neutralStop(
  { stopReason, additionalModelResponseFields: fields }: ConverseStop,
  calls: number,
  { stop_sequences: sequences }: NeutralRequest,
): Stop {
  if (stopReason === 'content_filtered' || stopReason === 'guardrail_intervened') {
    return filteredStop();
  }
  const isForced = stopReason === 'end_turn' && calls > 0;
  const stop_reason = isForced ? 'tool_use' : (REASONS.get(stopReason) ?? null);
  const told = (fields as { stop_sequence?: unknown } | null | undefined)?.stop_sequence;
  const met = typeof told === 'string' ? told : sequences?.length === 1 ? sequences[0] : undefined;
  return { stop_reason, stop_sequence: stop_reason === 'stop_sequence' ? (met ?? null) : null };
}

const REASONS: ReadonlyMap<unknown, string> = new Map([
  ['end_turn', 'end_turn'],
  ['tool_use', 'tool_use'],
  ['max_tokens', 'max_tokens'],
  ['model_context_window_exceeded', 'max_tokens'],
  ['stop_sequence', 'stop_sequence'],
]);
