import { type Capabilities, type ModelSpec } from '../contract/model.js';

const CHAT: Capabilities = {
  input_modalities: ['text'],
  output_modalities: ['text'],
  supports_system_messages: true,
  supports_native_streaming: true,
};

/** Reads pictures. */
export const VISION: Capabilities = { input_modalities: ['text', 'image'] };
/** Calls tools, also several at once, but cannot be made to. */
export const CALLS: Capabilities = {
  supports_function_calling: true,
  supports_parallel_function_calling: true,
};
/** Calls also the one that it has to. */
export const TOOLS: Capabilities = { ...CALLS, supports_tool_choice: true };
/** Thinks before it answers. */
export const REASONING: Capabilities = { supports_reasoning: true };
/** Answers in the form of a JSON schema. */
export const SCHEMA: Capabilities = { supports_response_schema: true };
/** Goes on with an answer that the request begins. */
export const PREFILL: Capabilities = { supports_assistant_prefill: true };
/** Uses a computer by a tool of its own. */
export const COMPUTER: Capabilities = { supports_computer_use: true };
/** Has a prompt cache. */
export const CACHING: Capabilities = { supports_prompt_caching: true };
/** Searches the web by itself. */
export const SEARCH: Capabilities = { supports_web_search: true };

/**
 * The row of a chat model that takes and gives text, and can do what is added.
 *
 * @param limits tokens: of the whole context, and of the longest answer where the provider says it.
 * @param released the day of its release, `YYYY-MM-DD`, where the provider says it.
 */
export function chatModel(
  name: string,
  [contextLength, maxOutputTokens]: readonly [context: number, output?: number],
  can: readonly Capabilities[],
  released?: string,
): ModelSpec {
  return {
    name,
    endpoints: ['messages'],
    created: released === undefined ? 0 : Date.parse(`${released}T00:00:00Z`) / 1_000,
    contextLength,
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    capabilities: Object.assign({}, CHAT, ...can) as Capabilities,
  };
}
