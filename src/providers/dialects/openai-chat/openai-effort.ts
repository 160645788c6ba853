import { type Model } from '../../../contract/model.js';
import { type NeutralRequest } from '../../../contract/neutral.js';
import { listOf, membersOf } from '../../../json/values.js';
import { askedEffort, type Effort } from '../asked-output.js';
import { isSubstitute } from '../substitute-model.js';

/**
 * How hard a model of OpenAI's is asked to reason, in its own words: the later ones know one for not at all,
 * and one or two above `high`. Undefined when the request leaves it to the model. One that the caller did not
 * name gets a word that all know.
 * https://developers.openai.com/api/docs/models/gpt-5.6-sol, …/gpt-5.5, …/gpt-6-astra,
 * …/gpt-5-pro, …/gpt-5.5-pro
 */
export function openaiEffort(
  request: NeutralRequest,
  model: Pick<Model, 'id' | 'name'>,
): string | undefined {
  const { name } = model;
  const common = raised(wantedEffort(request, name), name);
  if (isSubstitute(request.model, model)) return common;
  if (request.thinking?.type === 'disabled') return RESTS.test(name) ? 'none' : common;
  const { effort } = membersOf(request.output_config);
  if (effort === 'max' && TO_THE_MOST.test(name)) return 'max';
  return (effort === 'max' || effort === 'xhigh') && BEYOND_HIGH.test(name) ? 'xhigh' : common;
}

/**
 * How hard a model is asked to reason, in the words that all models know. Who leaves it to the model gets
 * what that does anyhow, but GPT-5.1 to 5.4 do not reason by themselves: they are asked for `medium`, unless
 * the request has what they refuse beside any effort.
 * https://developers.openai.com/api/docs/models/gpt-5.1,
 * https://developers.openai.com/api/docs/guides/latest-model#gpt-52-parameter-compatibility
 */
export function wantedEffort(request: NeutralRequest, name: string): Effort | undefined {
  const asked = askedEffort(request);
  if (asked !== undefined || request.thinking?.type !== 'adaptive') return asked;
  return NO_EFFORT_BY_DEFAULT.test(name) && !excludesEffort(request) ? 'medium' : undefined;
}

function excludesEffort({ temperature, top_p, stop_sequences }: NeutralRequest): boolean {
  const isSampled = [temperature, top_p].some((value) => (value ?? 1) !== 1);
  return isSampled || listOf(stop_sequences).length > 0;
}

const NO_EFFORT_BY_DEFAULT = /^gpt-5\.[1-4](?!.*(?:chat|codex|-pro))/;
/** Since GPT-5.1, but for those that always reason. */
const RESTS = /^gpt-(?:5\.[1-9]|[6-9])(?!.*(?:chat|codex|-pro|-astra))/;
const BEYOND_HIGH = /^gpt-(?:5\.[2-9]|[6-9]|5\.1-codex-max)(?!.*chat)/;
const TO_THE_MOST = /^gpt-(?:5\.[6-9]|[6-9])(?!.*chat)/;

/** The pros know no effort below `medium`, and the first of them none but `high`. */
function raised(effort: Effort | undefined, name: string): Effort | undefined {
  if (effort === undefined || !PRO.test(name)) return effort;
  return effort === 'high' || name.startsWith('gpt-5-') ? 'high' : 'medium';
}

const PRO = /^gpt-[5-9].*-pro/;
