import { able } from '../../../contract/ability.js';
import { type Model } from '../../../contract/model.js';
import { type NeutralRequest } from '../../../contract/neutral.js';
import { OPENAIS_FIELDS } from './openai-chat-fields.js';
import { withoutDrawings } from './openai-chat-turns.js';
import { isSubstitute, SAMPLING, type TemperatureRange } from '../substitute-model.js';

/** Where a provider of OpenAI's format departs from it; what is absent is as OpenAI has it. */
export interface ChatQuirks {
  /**
   * Fields of a request that the provider calls otherwise, or refuses (undefined). Without
   * `stream_options` the usage has to come unasked.
   */
  readonly fields?: Readonly<Record<string, string | undefined>>;
  /**
   * Thinking of earlier turns goes back in the field in which the provider gave it out: `returned`,
   * or `required` where a tool call without any is refused.
   */
  readonly thinkingHistory?: 'returned' | 'required';
  /** Its models that do not reason refuse thinking of earlier turns, its own too. */
  readonly refusesThoughts?: boolean;
  /**
   * The fields of its messages in which it thinks. A relayed conversation loses the thinking in all
   * others, which another model wrote. Where nobody knows, as of a server of the operator's own, it
   * goes on as it came.
   */
  readonly thinksIn?: readonly ThinkingField[];
  /** Fields without which it does not answer as others do, unless the caller says something else in them. */
  readonly asks?: Readonly<Record<string, unknown>>;
  /** Its own thinking bears no proof; what OpenRouter gives out may be proved by anyone. */
  readonly provesNothing?: boolean;
  /**
   * It takes what OpenAI alone says in its conversations: developers' turns, refusals, annotations,
   * and answers without a word. Elsewhere those are said otherwise or left out (`chatHistory`).
   */
  readonly knowsOpenai?: boolean;
  /** Its models that reason refuse to be sampled, and nobody before them leaves that out. */
  readonly refusesSampling?: boolean;
  /** What switches the thinking on and off: `thinking: {type}`, or `enable_thinking` by true and false. */
  readonly thinkingSwitch?: 'thinking' | 'enable_thinking';
  /** It can be told to call a tool, and not which: where that is said, the tool is offered alone. */
  readonly namesNoTool?: boolean;
  /** It takes OpenRouter's `reasoning`. Elsewhere that is said otherwise for a model that nobody named. */
  readonly takesReasoning?: boolean;
  /** Claude is cached as a whole where the request asks for it on top, as Anthropic has it. */
  readonly automaticCache?: boolean;
  /** It takes Anthropic's `cache_control`. Elsewhere that is left out for a model that nobody named. */
  readonly takesCacheMarks?: boolean;
  /** Ids of tool calls have to be nine letters and digits. */
  readonly shortCallIds?: boolean;
  /**
   * A conversation in OpenAI's turns as the provider takes it, the same list where nothing changes.
   * @throws GatewayError 400 for what it does not take.
   */
  readonly turns?: (turns: readonly unknown[]) => readonly unknown[];
  /** Refuses what `turns` does by where it stands in a request that is translated. @throws GatewayError 400 */
  readonly refuse?: (request: NeutralRequest) => void;
  /** Its sides speak by turns, behind what the system says (`alternatingTurns`). */
  readonly alternates?: boolean;
  /** The fields that it takes, by OpenAI's names, where it refuses all others. */
  readonly takes?: ReadonlySet<string>;
  /** Fields that it refuses, and an answer is one without them. */
  readonly refuses?: readonly string[];
  /** Its speakers have no names. */
  readonly namesNobody?: boolean;
  /** Which of its models tell log probabilities; all of them where it does not say. */
  readonly tellsLogprobs?: 'none' | 'unless-reasoning';
  /** It makes one answer at a time. */
  readonly answersOnce?: boolean;
  /** Ids of its models that refuse to be told how much to reason. */
  readonly effortless?: RegExp;
  /** The only effort that its models can be told, beside none. */
  readonly onlyEffort?: 'high';
  /** Which of its models answer by a schema: none, or those known to; all of them where it does not say. */
  readonly answersBySchema?: 'none' | 'where-known';
  /** Fields that its models which reason refuse, as OpenAI's refuse to be sampled. */
  readonly refusedByReasoning?: readonly string[];
  /** Which of its models cannot be stopped by a text: those that reason, or those with such an id. */
  readonly unstoppable?: 'reasoning' | RegExp;
  /** By how many texts its models can be stopped at most. */
  readonly mostStops?: number;
  /** Between what its models take a temperature; as OpenAI from 0 to 2 where it does not say. */
  readonly temperatures?: TemperatureRange;
}

/** What OpenAI itself and Azure have in common. */
export const OPENAIS_OWN: ChatQuirks = {
  thinksIn: [],
  knowsOpenai: true,
  refusesSampling: true,
  mostStops: 4,
  unstoppable: /\/(?:o\d|gpt-5(?!\.|-chat))/,
  tellsLogprobs: 'unless-reasoning',
  turns: withoutDrawings,
  takes: OPENAIS_FIELDS,
};

/** Whether thinking of earlier turns is to be left out for this model, whoever thought it. */
export function isThoughtless(
  { refusesThoughts = false }: Pick<ChatQuirks, 'refusesThoughts'>,
  model: Pick<Model, 'capabilities'>,
): boolean {
  return refusesThoughts && !able(model, 'thinking');
}

/** Whether it refuses Anthropic's marks; a server of the operator's own may do with them what it likes. */
export function refusesMarks({ thinksIn, takesCacheMarks }: ChatQuirks): boolean {
  return thinksIn !== undefined && takesCacheMarks !== true;
}

/** The fields of an assistant's message that may hold thinking; a `content` does so in parts. */
export const THINKING_FIELDS = [
  'reasoning_content',
  'reasoning',
  'reasoning_details',
  'thinking_blocks',
  'content',
] as const;

/** One of them. */
export type ThinkingField = (typeof THINKING_FIELDS)[number];

/** Fields of a provider that knows only the older name of the limit. */
export const MAX_TOKENS_ONLY = { max_completion_tokens: 'max_tokens' } as const;

/**
 * Fields that the provider calls otherwise or refuses, for the model that the caller named or for another.
 *
 * @param named `model` of the request.
 */
export function knownFields(
  named: unknown,
  model: Pick<Model, 'id' | 'capabilities'>,
  quirks: ChatQuirks,
): NonNullable<ChatQuirks['fields']> {
  return { ...(isSubstitute(named, model) && substituteFields(model, quirks)), ...quirks.fields };
}

/**
 * What a model that the caller did not name, behind a fallback or `@router`, calls otherwise or refuses:
 * OpenAI's reasoning models `max_tokens` and to be sampled, one that does not reason an effort to do so, and
 * other providers what only OpenAI is told.
 * https://platform.openai.com/docs/guides/reasoning
 */
function substituteFields(
  model: Pick<Model, 'id' | 'capabilities'>,
  { knowsOpenai, refusesSampling, thinksIn, refusedByReasoning = [], ...quirks }: ChatQuirks,
): ChatQuirks['fields'] {
  const foreign = {
    ...(thinksIn && !knowsOpenai && OPENAIS_ORDERS),
    ...without(quirks.refuses),
    ...(quirks.effortless?.test(model.id) && { reasoning_effort: undefined }),
  };
  if (!able(model, 'thinking')) {
    return { ...foreign, ...(thinksIn && { reasoning_effort: undefined, verbosity: undefined }) };
  }
  if (!knowsOpenai) return { ...foreign, ...without(refusedByReasoning) };
  return {
    max_tokens: 'max_completion_tokens',
    ...(refusesSampling && { ...SAMPLING, logit_bias: undefined }),
    ...(takesCallsInTurn(model) && { parallel_tool_calls: undefined }),
  };
}

function without(names: readonly string[] = []): NonNullable<ChatQuirks['fields']> {
  return Object.fromEntries(names.map((name) => [name, undefined]));
}

/** Orders to OpenAI alone, which strict providers refuse. */
const OPENAIS_ORDERS = {
  store: undefined,
  service_tier: undefined,
  prompt_cache_key: undefined,
  prompt_cache_retention: undefined,
  safety_identifier: undefined,
  prediction: undefined,
  verbosity: undefined,
} as const;

/** A wish to think or not in the provider's words; a yes or no is told only to models that can think. */
export function switchedTo(
  wish: 'enabled' | 'disabled' | undefined,
  { thinkingSwitch }: Pick<ChatQuirks, 'thinkingSwitch'>,
  isReasoning: boolean,
): { readonly thinking?: object; readonly enable_thinking?: boolean } {
  if (wish === undefined || thinkingSwitch === undefined) return {};
  if (thinkingSwitch === 'thinking') return { thinking: { type: wish } };
  return isReasoning ? { enable_thinking: wish === 'enabled' } : {};
}

/** OpenAI's first reasoning models call one tool at a time, and refuse to be told so. */
export function takesCallsInTurn(model: Pick<Model, 'capabilities'>): boolean {
  const isParallel = model.capabilities.supports_parallel_function_calling === true;
  return able(model, 'thinking') && !isParallel;
}

/** The fields of a request by the names that the provider knows. */
export function renamed(
  body: Record<string, unknown>,
  fields: NonNullable<ChatQuirks['fields']>,
): Record<string, unknown> {
  const kept = Object.entries(body).flatMap(([name, value]) => {
    const known = Object.hasOwn(fields, name) ? fields[name] : name;
    return known === undefined ? [] : [[known, value] as const];
  });
  return Object.fromEntries(kept);
}
