import { type Model } from '../../contract/model.js';
import { isText, listOf, membersOf } from '../../json/values.js';
import { type CallContext } from '../provider.js';
import { untranslatable } from './placed-blocks.js';

/**
 * Whether a model is a substitute: the caller named another one, or `@router`. It is asked what it can do,
 * where the one that was named judges for itself what it is asked.
 *
 * @param named `model` of the request.
 */
export function isSubstitute(named: unknown, { id }: Pick<Model, 'id'>): boolean {
  return isText(named) && named !== id;
}

/** Whether the caller named a model of the same provider, whose own features its other models may have. */
export function isOfProvider(named: unknown, provider: string): boolean {
  return isText(named) && named.startsWith(`${provider}/`);
}

/**
 * Of the fields that another format has beyond the Messages API those that this one knows, for a model that
 * the caller did not name: it would refuse the others. All of them for one that was named.
 */
export function suitedExtras(
  extras: Readonly<Record<string, unknown>>,
  { request, model }: Pick<CallContext<'messages'>, 'request' | 'model'>,
  known: ReadonlySet<string>,
): Record<string, unknown> {
  if (!isSubstitute(request.model, model)) return { ...extras };
  return Object.fromEntries(Object.entries(extras).filter(([name]) => known.has(name)));
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

/** The lowest and the highest temperature that a model takes. */
export type TemperatureRange = readonly [lowest: number, highest: number];

/** https://platform.openai.com/docs/api-reference/chat/create */
const OPENAIS_TEMPERATURES: TemperatureRange = [0, 2];

/**
 * The temperature of a request or chat, for a model that the caller did not name brought into what that one
 * takes: another maker's scale may go on to 2.
 */
export function suitedTemperature<T>(
  { model: named, temperature }: { readonly model?: unknown; readonly temperature?: T },
  model: Pick<Model, 'id'>,
  range: TemperatureRange = OPENAIS_TEMPERATURES,
): T | number | undefined {
  return suitedNumber(temperature, { named, model, range });
}

/** Any number of a request, in the same way. */
export function suitedNumber<T>(
  value: T,
  {
    named,
    model,
    range: [lowest, highest],
  }: { named: unknown; model: Pick<Model, 'id'>; range: readonly [number, number] },
): T | number {
  if (typeof value !== 'number' || !isSubstitute(named, model)) return value;
  return Math.min(Math.max(value, lowest), highest);
}

/** Cohere's `p`, here and on Bedrock: "#/p: 1 is not less or equal to 0.99". */
export const COHERES_TOP_P = [0.01, 0.99] as const;

/**
 * Refuses more texts to stop at than a model takes that the caller did not name: none can be left out.
 *
 * @param field by which the model knows them.
 * @throws GatewayError 400 naming the field: another fallback may take them.
 */
export function refuseMoreStops(
  { named, stop }: { readonly named: unknown; readonly stop: unknown },
  model: Pick<Model, 'id'>,
  { field, most }: { readonly field: string; readonly most: number },
): void {
  if (!isSubstitute(named, model) || listOf(stop).length <= most) return;
  throw untranslatable(field, `this model can be stopped by ${most} texts at most.`);
}

/**
 * Refuses a conversation that the assistant begins, for a model that takes none: "A conversation must start
 * with a user message."
 *
 * @throws GatewayError 400: another fallback may take it.
 */
export function refuseOtherBeginning(turns: readonly unknown[]): void {
  const first = turns.map(membersOf).find(({ role }) => role !== 'system');
  if (first?.role !== 'assistant') return;
  throw untranslatable('messages', 'with this model the user speaks first.');
}

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
