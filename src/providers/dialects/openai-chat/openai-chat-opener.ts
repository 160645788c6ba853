import { isObject, listOf } from '../../../json/values.js';

/**
 * Whether a chunk begins an answer: one of its choices names a role, says something or ends. Some send
 * a judgement on the prompt, or an empty chunk, before they know whether they can answer.
 * https://learn.microsoft.com/azure/ai-foundry/openai/concepts/content-streaming
 */
export function beginsAnswer({ choices }: { readonly choices?: unknown }): boolean {
  return listOf(choices).some(
    (choice) =>
      isObject(choice) && Boolean(choice.finish_reason || choice.message || isSaid(choice.delta)),
  );
}

function isSaid(delta: unknown): boolean {
  return isObject(delta) && Object.values(delta).some((value) => !isEmpty(value));
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
