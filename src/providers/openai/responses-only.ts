import { type Model } from '../../contract/model.js';

/**
 * Whether OpenAI serves this request by its Responses only: the model is one that Chat Completions
 * does not know, or knows without the tools that the request has.
 *
 * @param body the caller's own, in whichever format.
 */
export function isForResponses(
  { name }: Model,
  { tools, functions }: Readonly<Record<string, unknown>>,
): boolean {
  if (NOT_IN_CHAT.test(name)) return true;
  return TOOLS_NOT_IN_CHAT.has(name) && (isFilled(tools) || isFilled(functions));
}

/** The pro, codex and deep research models. https://developers.openai.com/api/docs/models/gpt-5.5-pro */
const NOT_IN_CHAT = /-pro(-\d|$)|codex|deep-research|^computer-use/;

/** "Tool calling requires the Responses API": https://developers.openai.com/api/docs/models/gpt-6.1-sol */
const TOOLS_NOT_IN_CHAT = new Set([
  'gpt-6.2-astra',
  'gpt-6.2-sol',
  'gpt-6.1-terra',
  'gpt-6.1-sol',
  'gpt-6-astra',
]);

function isFilled(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0;
}
