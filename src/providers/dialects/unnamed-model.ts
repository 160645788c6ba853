import { type Model } from '../../contract/model.js';
import { isText } from '../../json/values.js';

/**
 * Whether the caller named another model, or `@router`: one that serves in its place is asked what it can
 * do, where the one that was named judges for itself what it is asked.
 *
 * @param named `model` of the request.
 */
export function isUnnamed(named: unknown, { id }: Pick<Model, 'id'>): boolean {
  return isText(named) && named !== id;
}

/**
 * An effort that not every model knows which reasons, in the words that all of them do; without a word
 * where none says the same. Undefined for one that all know.
 * https://platform.openai.com/docs/guides/reasoning, https://console.groq.com/docs/reasoning
 */
export function commonEffort(effort: unknown): { readonly word: string | undefined } | undefined {
  return typeof effort === 'string' ? COMMON_EFFORTS.get(effort) : undefined;
}

const COMMON_EFFORTS: ReadonlyMap<string, { readonly word: string | undefined }> = new Map([
  ['none', { word: undefined }],
  ['minimal', { word: 'low' }],
  ['xhigh', { word: 'high' }],
  ['max', { word: 'high' }],
]);

/**
 * Fields by which no OpenAI model is sampled that reasons: it refuses all but the default.
 * https://platform.openai.com/docs/guides/reasoning
 */
export const SAMPLING = {
  temperature: undefined,
  top_p: undefined,
  presence_penalty: undefined,
  frequency_penalty: undefined,
} as const;
