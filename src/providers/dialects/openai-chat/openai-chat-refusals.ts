import { able, isUnable } from '../../../contract/ability.js';
import { type Model } from '../../../contract/model.js';
import { ROUTER } from '../../../contract/router.js';
import { type Fields, isObject, isText, listOf, membersOf } from '../../../json/values.js';
import { type ChatQuirks } from './openai-chat-quirks.js';
import { untranslatable } from '../placed-blocks.js';
import { isOfProvider, isSubstitute, refuseMoreStops } from '../substitute-model.js';

/** What binds a model, so that it cannot be left out for one that refuses it. */
interface Binding {
  /** `model` of the request. */
  readonly named: unknown;
  /** `type` of a chat's `response_format`. */
  readonly format: unknown;
  readonly stop: unknown;
  readonly logprobs?: unknown;
  /** How many answers are wanted. */
  readonly n?: unknown;
}

/**
 * Refuses what a model that the caller did not name would refuse, and what cannot be left out. One that was
 * named says so itself.
 *
 * @throws GatewayError 400 naming the field: another fallback may take it.
 */
export function refuseBinding(
  { named, format, stop, logprobs, n }: Binding,
  model: Pick<Model, 'id' | 'capabilities' | 'told'>,
  { answersBySchema, unstoppable, mostStops = Infinity, ...quirks }: ChatQuirks,
): void {
  if (!isSubstitute(named, model)) return;
  refuseMoreStops({ named, stop }, model, { field: 'stop', most: mostStops });
  const isWithout =
    answersBySchema === 'none' ||
    (answersBySchema === 'where-known' && isUnable(model, 'structured_output'));
  if (isWithout && format === 'json_schema') {
    throw untranslatable('response_format', 'this model answers by no schema.');
  }
  if (logprobs === true && !tellsLogprobs(model, quirks)) {
    throw untranslatable('logprobs', 'this model tells no probabilities.');
  }
  if (quirks.answersOnce && typeof n === 'number' && n > 1) {
    throw untranslatable('n', 'this model gives one answer.');
  }
  const isBound = isText(stop) || listOf(stop).length > 0;
  const isUnstoppable =
    unstoppable === 'reasoning' ? able(model, 'thinking') : unstoppable?.test(model.id);
  if (isBound && isUnstoppable) {
    throw untranslatable('stop', 'this model cannot be stopped by a text.');
  }
}

/** Whether a model says how probable its words were. */
export function tellsLogprobs(
  model: Pick<Model, 'capabilities'>,
  { tellsLogprobs: tells }: ChatQuirks,
): boolean {
  return tells !== 'none' && !(tells === 'unless-reasoning' && able(model, 'thinking'));
}

/**
 * Refuses what is OpenAI's own in a relayed chat and cannot be left out, where the caller named a model
 * of another provider: files and speech that that one keeps; and elsewhere than at OpenAI, Azure and
 * OpenRouter speech and a search where the model has none, tools that are no functions, and a choice
 * among some of them. https://platform.openai.com/docs/api-reference/chat/create
 *
 * @throws GatewayError 400 naming the place: another fallback may take it.
 */
export function refuseOpenaisOwn(
  body: Fields,
  model: Pick<Model, 'id' | 'provider' | 'capabilities'>,
  { thinksIn, knowsOpenai }: ChatQuirks,
): void {
  if (!thinksIn || !isSubstitute(body.model, model) || isOfProvider(body.model, model.provider))
    return;
  if (!knowsOpenai || body.model !== ROUTER) refuseKeptFiles(body);
  if (knowsOpenai) return;
  const isToSpeak = listOf(body.modalities).includes('audio') || isObject(body.audio);
  if (isToSpeak && !able(model, 'audio_output')) {
    throw untranslatable('modalities', 'this model does not speak.');
  }
  if (isObject(body.web_search_options) && !able(model, 'web_search')) {
    throw untranslatable('web_search_options', 'this model does not search.');
  }
  const tool = listOf(body.tools).findIndex((one) => membersOf(one).type === 'custom');
  if (tool >= 0) throw untranslatable(`tools[${tool}].type`, 'this model calls functions only.');
  if (membersOf(body.tool_choice).type === 'allowed_tools') {
    throw untranslatable('tool_choice.type', 'this model chooses among all tools.');
  }
}

function refuseKeptFiles({ messages }: Fields): void {
  listOf(messages).forEach((turn, at) => {
    const { role, content, audio } = membersOf(turn);
    if (role === 'assistant' && isObject(audio)) {
      throw untranslatable(`messages[${at}].audio`, 'is kept by its own provider.');
    }
    const file = listOf(content).findIndex((part) =>
      isText(membersOf(membersOf(part).file).file_id),
    );
    if (file < 0) return;
    const place = `messages[${at}].content[${file}].file.file_id`;
    throw untranslatable(place, 'is kept by its own provider; send `file_data`.');
  });
}
