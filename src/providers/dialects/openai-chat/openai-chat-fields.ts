import { type Model } from '../../../contract/model.js';
import { isObject, isSameList } from '../../../json/values.js';
import { isSubstitute } from '../substitute-model.js';

/**
 * The fields of OpenAI's chat completions, which refuses all others: "Unrecognized request argument
 * supplied: top_k". https://platform.openai.com/docs/api-reference/chat/create,
 * https://github.com/TutteInstitute/toponymy/pull/148
 */
export const OPENAIS_FIELDS: ReadonlySet<string> = new Set([
  ...['model', 'messages', 'stream', 'stream_options', 'n', 'stop', 'seed', 'user', 'metadata'],
  ...['max_tokens', 'max_completion_tokens', 'temperature', 'top_p', 'presence_penalty'],
  ...['frequency_penalty', 'logit_bias', 'logprobs', 'top_logprobs', 'response_format'],
  ...['tools', 'tool_choice', 'parallel_tool_calls', 'functions', 'function_call'],
  ...['reasoning_effort', 'verbosity', 'modalities', 'audio', 'prediction', 'web_search_options'],
  ...['store', 'service_tier', 'prompt_cache_key', 'prompt_cache_retention', 'safety_identifier'],
  ...['prompt_cache_options', 'moderation'],
]);

/** What a turn may have beside thinking. */
const MEMBERS: ReadonlySet<string> = new Set([
  ...['role', 'content', 'name', 'tool_calls', 'tool_call_id', 'function_call'],
  ...['refusal', 'audio', 'annotations', 'images'],
]);

/** Whose callers know what OpenAI takes better than a list does, and the first of what is new. */
const OPENAIS_CALLERS = /^(?:openai|azure-openai)\//;

/**
 * The fields that go to a model which the caller did not name, where its provider refuses all others: those
 * of the one that was named, such as `random_seed`, are not known to it. Undefined where all go.
 *
 * @param named `model` of the request.
 */
export function takenFields(
  named: unknown,
  model: Pick<Model, 'id'>,
  { takes, knowsOpenai }: { takes?: ReadonlySet<string>; knowsOpenai?: boolean },
): ReadonlySet<string> | undefined {
  if (!isSubstitute(named, model)) return undefined;
  return knowsOpenai && OPENAIS_CALLERS.test(String(named)) ? undefined : takes;
}

/**
 * Turns without what another provider has in them, such as Mistral's `prefix`; the same list without any:
 * "'messages.2': property 'prefix' is unsupported".
 *
 * @param thinksIn the members in which the reader knows thinking.
 */
export function knownTurns(
  turns: readonly unknown[],
  thinksIn: readonly string[] = [],
): readonly unknown[] {
  const isKnown = (name: string): boolean => MEMBERS.has(name) || thinksIn.includes(name);
  const known = turns.map((turn) => {
    if (!isObject(turn) || Object.keys(turn).every(isKnown)) return turn;
    return Object.fromEntries(Object.entries(turn).filter(([name]) => isKnown(name)));
  });
  return isSameList(known, turns) ? turns : known;
}
