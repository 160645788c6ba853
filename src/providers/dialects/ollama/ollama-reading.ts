import { countOrZero, NO_USAGE, tokenCount, type Usage } from '../../../contract/usage.js';
import { listOf, textOf } from '../../../json/values.js';
import { type Stop } from '../neutral-answer.js';
import { marked } from '../proof-marks.js';

/** A whole answer, or a line of a stream; nothing of it is certain. */
export interface OllamaAnswer {
  readonly message?: {
    readonly content?: unknown;
    readonly thinking?: unknown;
    readonly tool_calls?: unknown;
  } | null;
  readonly done?: unknown;
  readonly done_reason?: unknown;
  readonly prompt_eval_count?: unknown;
  readonly eval_count?: unknown;
  readonly error?: unknown;
}

interface OllamaCall {
  readonly id?: string | null;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null;
}

/** Marks thinking of Ollama, which signs nothing itself. */
export const OLLAMA_SIGNATURE = marked('ollama', 'thinking');

/** What the model thought and said, and the tools that it called. */
export function spokenBy({ message }: OllamaAnswer): {
  thinking: string;
  text: string;
  calls: readonly OllamaCall[];
} {
  const calls = listOf(message?.tool_calls) as (OllamaCall | null)[];
  return {
    thinking: textOf(message?.thinking),
    text: textOf(message?.content),
    calls: calls.filter((call) => call !== null),
  };
}

/**
 * Why the answer ended, in the four words that the contract allows. Ollama says `stop` for a tool
 * call and for a stop sequence too. Before it named reasons, an answer that was done had stopped.
 */
export function ollamaStop({ done_reason: reason }: OllamaAnswer, calls: number): Stop {
  const stop_reason =
    reason === undefined || reason === 'stop'
      ? calls > 0
        ? 'tool_use'
        : 'end_turn'
      : reason === 'length'
        ? 'max_tokens'
        : null;
  return { stop_reason, stop_sequence: null };
}

/** Ollama leaves the prompt's count out when it had all of the prompt in its cache. */
export function ollamaUsage(answer: OllamaAnswer): Usage | undefined {
  const inputTokens = countOrZero(answer.prompt_eval_count);
  const outputTokens = tokenCount(answer.eval_count);
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  return { ...NO_USAGE, inputTokens, outputTokens };
}
