import { type Model } from '../../../contract/model.js';
import { type NeutralRequest } from '../../../contract/neutral.js';
import { withoutTurnSettings } from '../../../contract/turn-settings.js';
import { type Fields, isObject, isText, listOf, membersOf } from '../../../json/values.js';
import { wantedEffort } from '../openai-chat/openai-effort.js';
import { isToolChange } from '../tools-on-offer.js';
import { isSubstitute } from '../substitute-model.js';

/**
 * Whether OpenAI serves this request by its Responses only: the model is one that Chat Completions
 * does not know, or knows without the tools that the request has.
 *
 * @param body the caller's own, in whichever format.
 */
export function isForResponses(model: Pick<Model, 'id' | 'name'>, body: Fields): boolean {
  const { name } = model;
  if (NOT_IN_CHAT.test(name)) return true;
  return (TOOLS_NOT_IN_CHAT.has(name) || reasonsBesideTools(model, body)) && offersTools(body);
}

/** Tools may also come in the middle of a conversation alone. */
function offersTools({ tools, functions, messages }: Fields): boolean {
  const declared = [tools, functions].some((list) => listOf(list).length > 0);
  return declared || listOf(messages).some(changesTools);
}

function changesTools(turn: unknown): boolean {
  const { role, content } = membersOf(turn);
  return role === 'system' && listOf(content).some((block) => isToolChange(membersOf(block)));
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

/**
 * Whether the model would reason about a request with tools, which Chat Completions refuses since GPT-5.4:
 * "Function tools with reasoning_effort are not supported for gpt-5.6-terra in /v1/chat/completions. To use
 * function tools, use /v1/responses or set reasoning_effort to 'none'." Since GPT-5.5 it does so unasked.
 * https://github.com/openai/openai-openapi/issues/541, https://github.com/BerriAI/litellm/pull/34569,
 * https://github.com/onyx-dot-app/onyx/issues/15008
 */
function reasonsBesideTools(model: Pick<Model, 'id' | 'name'>, body: Fields): boolean {
  if (!SINCE_5_4.test(model.name)) return false;
  // Another model's word for it goes no further.
  const isOff = body.reasoning_effort === 'none' && !isSubstitute(body.model, model);
  return !isOff && (!/^gpt-5\.4/.test(model.name) || asksToReason(body, model.name));
}

const SINCE_5_4 = /^gpt-(?:5\.[4-9]|[6-9])(?!.*chat)/;

function asksToReason(body: Fields, name: string): boolean {
  const { reasoning_effort: effort, reasoning } = body;
  if (isText(effort)) return effort !== 'none';
  if (isObject(reasoning)) return reasoning.effort !== 'none' && reasoning.enabled !== false;
  const request = body as unknown as NeutralRequest;
  const isSpoken = Array.isArray(body.messages) && body.messages.every(isObject);
  // A turn of the system's may be all that asks for it.
  return wantedEffort(isSpoken ? withoutTurnSettings(request) : request, name) !== undefined;
}
