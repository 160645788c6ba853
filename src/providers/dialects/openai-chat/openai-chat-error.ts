import { isObject, listOf } from '../../../json/values.js';
import { type ProviderError, type UpstreamReply } from '../../provider.js';
import { BROKEN_OFF } from '../broken-answer.js';
import { errorIn } from '../provider-error.js';

/** The places of a chunk, or of a whole answer, in which errors stand. */
export interface MayFail {
  readonly object?: unknown;
  readonly error?: unknown;
  readonly choices?: unknown;
  readonly x_groq?: unknown;
}

/**
 * What holds the error, if a chunk is one: at its top, as an object of its own (vLLM), beside what an
 * upstream of the provider said (OpenRouter), in Groq's own member, or nothing but the word for it.
 * https://openrouter.ai/docs/api/reference/errors-and-debugging, https://console.groq.com/docs/errors
 *
 * @param name that of the event.
 */
export function failureIn(chunk: MayFail, name?: string): object | undefined {
  if (chunk.error || name === 'error' || chunk.object === 'error') return chunk;
  const [choice] = listOf(chunk.choices);
  for (const place of [choice, chunk.x_groq]) {
    if (isObject(place) && place.error) return { error: place.error };
  }
  const hasFailed = isObject(choice) && FAILURES.has(choice.finish_reason);
  return hasFailed ? { error: BROKEN_OFF } : undefined;
}

/**
 * Reasons to stop that are failures, of which their providers say no more: Mistral's, DeepSeek's, Z.ai's.
 * https://docs.mistral.ai/api, https://api-docs.deepseek.com/api/create-chat-completion,
 * https://docs.z.ai/api-reference/llm/chat-completion
 */
export const FAILURES: ReadonlySet<unknown> = new Set([
  'error',
  'insufficient_system_resource',
  'network_error',
]);

/** The same for a whole answer, in which an error beside a text is about what came behind it. */
export function wholeFailureIn(body: MayFail): object | undefined {
  const [choice] = listOf(body.choices);
  const message = isObject(choice) && choice.message;
  const isSaid = isObject(message) && Boolean(message.content);
  return failureIn(isSaid ? { ...body, choices: [] } : body);
}

/** What such an error says; undefined for an answer, also for one that cannot be read. */
export function wholeErrorIn(reply: UpstreamReply): ProviderError | undefined {
  try {
    const body = reply.json();
    return isObject(body) ? errorIn(wholeFailureIn(body)) : undefined;
  } catch {
    return undefined;
  }
}
