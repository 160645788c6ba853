import { type NeutralRequest } from '../../../contract/neutral.js';
import { membersOf } from '../../../json/values.js';
import { askedFields, OPENAIS_ORDERS } from '../extra-fields.js';
import { untranslatable } from '../placed-blocks.js';

/** Fields beyond the Messages API, sorted to where Gemini has them. */
interface GeminiExtras {
  readonly generationConfig: Readonly<Record<string, unknown>>;
  readonly toolConfig: object;
  /** Top-level members, such as `safetySettings`; unknown ones too, for a Gemini that was named to judge. */
  readonly others: Readonly<Record<string, unknown>>;
}

/**
 * Gemini's own fields, in either spelling, and the sampling settings that OpenAI's format shares with
 * it. https://ai.google.dev/api/generate-content
 *
 * @throws GatewayError 400 for what a single message of text and images cannot answer.
 */
export function geminiExtras(request: NeutralRequest): GeminiExtras {
  const generationConfig: Record<string, unknown> = {};
  const others: Record<string, unknown> = {};
  let toolConfig = {};
  const extras = askedFields(request);
  refuseRouting(extras);
  for (const [name, value] of Object.entries(extras)) {
    const own = camel(name);
    if (own === 'generationConfig') Object.assign(generationConfig, settings(value, name));
    else if (own === 'toolConfig') toolConfig = settings(value, name);
    else if (SETTINGS.has(own)) generationConfig[own] = value;
    else if (UNANSWERABLE.has(own)) refuse(own, name, value);
    else if (!LEFT_OUT.has(own)) others[TOP_LEVEL.has(own) ? own : name] = value;
  }
  for (const [own, value] of Object.entries(generationConfig)) {
    if (UNANSWERABLE.has(own)) refuse(own, `generationConfig.${own}`, value);
  }
  return { generationConfig, toolConfig, others };
}

/**
 * Vertex may be told to have another model answer than the one called: whether the caller may use that one, in
 * their region, and what it costs, nobody would have looked at.
 * https://cloud.google.com/vertex-ai/docs/reference/rest/v1beta1/GenerationConfig
 *
 * @param at the path of the fields, with a dot behind it.
 * @throws GatewayError 400 naming the place.
 */
export function refuseRouting(fields: object, at = ''): void {
  for (const [name, value] of Object.entries(fields)) {
    const own = camel(name);
    if (own === 'generationConfig') refuseRouting(membersOf(value), `${at}${name}.`);
    else if (ROUTING.has(own) && value !== null) {
      throw untranslatable(`${at}${name}`, 'lets other models answer, which is not offered here.');
    }
  }
}

/** By name, or by whether quality or cost comes first. */
const ROUTING = new Set(['routingConfig', 'modelConfig', 'modelSelectionConfig']);

/** The members of an object in Gemini's first spelling, `maxOutputTokens`. */
function settings(value: unknown, at: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw untranslatable(at, 'must be an object.');
  }
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [camel(name), field]));
}

function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Gemini's own fields beside the conversation and its settings. */
export const TOP_LEVEL = new Set(['safetySettings', 'cachedContent', 'labels', 'modelArmorConfig']);

const SETTINGS = new Set([
  'seed',
  'presencePenalty',
  'frequencyPenalty',
  'candidateCount',
  'responseModalities',
  'responseMimeType',
  'responseSchema',
  'responseJsonSchema',
  'thinkingConfig',
  'mediaResolution',
  'imageConfig',
  'speechConfig',
  'audioTimestamp',
  'enableEnhancedCivicAnswers',
]);

/** They say nothing to Gemini, in either spelling. */
const LEFT_OUT = new Set([...OPENAIS_ORDERS].map(camel));

type Refusal = (value: unknown) => string | undefined;

/** Why a value cannot be answered here, undefined where it asks for nothing special. */
const UNANSWERABLE: ReadonlyMap<string, Refusal> = new Map<string, Refusal>([
  ['n', several],
  ['candidateCount', several],
  ['logprobs', unreported],
  ['topLogprobs', unreported],
  ['responseLogprobs', unreported],
  ['logitBias', (value) => (isEmpty(value) ? undefined : 'has no counterpart for this model.')],
  ['modalities', spoken],
  ['responseModalities', spoken],
  ['audio', () => 'an answer in speech cannot be carried.'],
  ['serviceTier', () => 'another tier would have another price than the listed one.'],
]);

function refuse(own: string, at: string, value: unknown): void {
  const reason = UNANSWERABLE.get(own)?.(value);
  if (reason !== undefined) throw untranslatable(at, reason);
}

function several(value: unknown): string | undefined {
  return value === 1 ? undefined : 'an answer is one message.';
}

function unreported(value: unknown): string | undefined {
  return value === false || value === 0 ? undefined : 'probabilities cannot be carried.';
}

function spoken(value: unknown): string | undefined {
  const kinds = Array.isArray(value) ? (value as unknown[]) : [value];
  const isCarried = kinds.every((kind) => /^(?:text|image)$/i.test(String(kind)));
  return isCarried ? undefined : 'only text and images can be carried.';
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
