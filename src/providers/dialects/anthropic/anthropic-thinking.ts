import { type NeutralRequest, type NeutralTurn } from '../../../contract/neutral.js';
import { type Edits } from '../../../json/splice.js';
import { type Fields, isObject, listOf } from '../../../json/values.js';
import { type RelayContext } from '../../provider.js';
import { isUnthought } from './anthropic-history.js';
import { askedEffort, type Effort } from '../asked-output.js';
import { type Claude, claudeOf } from './claude-model.js';

/** The fields of a request that depend on how a Claude thinks; undefined for one to leave out. */
interface ThinkingFields {
  readonly thinking: Fields | undefined;
  readonly output_config: Fields | undefined;
  readonly context_management: Fields | undefined;
  readonly temperature: number | undefined;
  readonly top_p: number | undefined;
  readonly top_k: number | undefined;
}

/**
 * What a caller of another format wants of thinking, in the words that this Claude knows: budgets up
 * to 4.5, adaptive thinking since 4.6, and its own way to think little. Sampling is left out where the
 * model refuses it, because clients of other formats send it out of habit; and a temperature above 1,
 * which no Claude has, is 1, as Anthropic itself makes it for OpenAI's clients.
 * https://docs.anthropic.com/en/docs/build-with-claude/adaptive-thinking,
 * https://docs.anthropic.com/en/docs/build-with-claude/effort,
 * https://docs.anthropic.com/en/api/openai-sdk
 *
 * @param maxTokens what the request will bound the answer to.
 */
export function thinkingFields(
  request: NeutralRequest,
  modelName: string,
  maxTokens: number,
): ThinkingFields {
  const claude = claudeOf(modelName);
  const { temperature, top_p, top_k } = request;
  const config = request.output_config as Fields | null | undefined;
  const management = (request.context_management ?? undefined) as Fields | undefined;
  if (!claude) {
    return {
      thinking: request.thinking ?? undefined,
      output_config: config ?? undefined,
      context_management: management,
      temperature,
      top_p,
      top_k,
    };
  }
  const { thinking, effort } = thinkingOf(request, claude, maxTokens);
  const { effort: _asked, ...rest } = config ?? {};
  const settings = { ...rest, ...(effort !== undefined && { effort }) };
  const isFixed = claude.version >= 407 || isOn(thinking);
  const isBoth = claude.version >= 401 && typeof temperature === 'number';
  return {
    thinking,
    output_config: Object.keys(settings).length > 0 ? settings : undefined,
    context_management: isOn(thinking) ? management : withoutThinking(management),
    temperature: isFixed ? undefined : capped(temperature),
    top_p: isFixed || isBoth ? undefined : top_p,
    top_k: isFixed ? undefined : top_k,
  };
}

/**
 * What to change in a relayed body so that a Claude from before adaptive thinking thinks by a budget:
 * agents ask for adaptive thinking, and an effort with it, wherever they do not know a model's name.
 * And so that it does not think at all in the middle of a turn that another model has begun. Nothing
 * where the model takes what it is asked, or is no Claude that is known here.
 */
export function thinkingEdits({ body, model }: Pick<RelayContext, 'body' | 'model'>): Edits {
  const request = withoutThreadsResults(body as unknown as NeutralRequest);
  const { version } = claudeOf(model.name) ?? {};
  if (version === undefined) return new Map();
  const type = request.thinking?.type;
  const isAmid = type === 'enabled' && version < 407 && isUnthought(request.messages);
  if (!isAmid && (type !== 'adaptive' || version >= 406)) return new Map();
  const maxTokens = request.max_tokens ?? LEAST_BUDGET;
  const { thinking, output_config, context_management } = thinkingFields(
    request,
    model.name,
    maxTokens,
  );
  const managed = { thinking, context_management };
  return editsTo(isAmid ? managed : { ...managed, output_config }, body);
}

/**
 * The request without results whose calls are in the thread that Anthropic keeps: the model that the
 * caller names has begun them as it was asked. Of one that stands in for it that is not known.
 */
function withoutThreadsResults(request: NeutralRequest): NeutralRequest {
  if (!isObject(request.thread)) return request;
  const turns = listOf(request.messages) as readonly (NeutralTurn | null)[];
  const answered = turns.findIndex((turn) => turn?.role === 'assistant');
  const messages = answered < 0 ? [] : turns.slice(answered);
  return { ...request, messages: messages as readonly NeutralTurn[] };
}

/** The edits that give a body these fields: undefined leaves one out. */
export function editsTo(wanted: Fields, body: Fields): Edits {
  const edits = new Map<string, string | undefined>();
  for (const [name, value] of Object.entries(wanted)) {
    if (value === body[name]) continue;
    const text = jsonOf(value);
    if (text !== jsonOf(body[name])) edits.set(name, text);
  }
  return edits;
}

function jsonOf(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : JSON.stringify(value);
}

/**
 * Who does not think has no thoughts to clear, and is refused for it: "`clear_thinking_20251015`
 * strategy requires `thinking` to be enabled or adaptive".
 * https://platform.claude.com/docs/en/build-with-claude/context-editing
 */
function withoutThinking(management: Fields | undefined): Fields | undefined {
  const edits = listOf(management?.edits) as readonly (Fields | null)[];
  const kept = edits.filter((edit) => !String(edit?.type).startsWith('clear_thinking'));
  if (kept.length === edits.length) return management;
  const { edits: _edits, ...rest } = management ?? {};
  if (kept.length > 0) return { ...rest, edits: kept };
  return Object.keys(rest).length > 0 ? rest : undefined;
}

const OFF = { type: 'disabled' } as const;
/** Of who cannot be kept from thinking. */
const LEAST = { type: 'between_tools' } as const;
const BUDGETS: Readonly<Record<Effort, number>> = { low: 4_096, medium: 16_384, high: 32_768 };
const LEAST_BUDGET = 1_024;

interface Thought {
  readonly thinking?: Fields;
  readonly effort?: unknown;
}

function thinkingOf(request: NeutralRequest, claude: Claude, maxTokens: number): Thought {
  const { version } = claude;
  const thinking = request.thinking ?? undefined;
  const effort = knownEffort((request.output_config as Fields | null | undefined)?.effort, claude);
  const asked = effort === undefined ? {} : { effort };
  if (thinking?.type === 'disabled' || thinking?.type === 'between_tools') {
    return leastThinking(thinking, claude, asked);
  }
  if (!thinking || !isOn(thinking)) return { ...(thinking && { thinking }), ...asked };
  if (version < 307) return {};
  if (isForced(request)) return asked;
  if (version >= 407) {
    const { budget_tokens: _budget, ...rest } = thinking;
    return { thinking: { ...rest, type: 'adaptive' }, effort: effort ?? askedEffort(request) };
  }
  if (thinking.type === 'adaptive' && version >= 406) return { thinking, ...asked };
  if (isUnthought(request.messages)) return { thinking: OFF, ...asked };
  const given = Number(thinking.budget_tokens);
  const budget = Number.isFinite(given)
    ? Math.min(Math.max(given, LEAST_BUDGET), maxTokens - 1)
    : Math.min(BUDGETS[askedEffort(request) ?? 'medium'], Math.floor(maxTokens / 2));
  // There is no room to think in.
  if (budget < LEAST_BUDGET) return asked;
  return { thinking: { ...thinking, type: 'enabled', budget_tokens: budget }, ...asked };
}

/** Where none is asked for, or as little as can be: the newer ones cannot be kept from it. */
function leastThinking(thinking: Fields, { version, family }: Claude, asked: Thought): Thought {
  if (version < 307) return {};
  if (family === 'sonnet' && version >= 505) {
    return thinking.type === 'disabled' ? { thinking: LEAST } : { thinking, ...asked };
  }
  const alwaysThinks = family === 'fable' || (family === 'opus' && version >= 505);
  return alwaysThinks ? { effort: 'low' } : { thinking: OFF, ...asked };
}

/** "Thinking may not be enabled when tool_choice forces tool use." */
function isForced({ tool_choice }: NeutralRequest): boolean {
  return tool_choice?.type === 'any' || tool_choice?.type === 'tool';
}

function capped(temperature: number | undefined): number | undefined {
  return typeof temperature === 'number' ? Math.min(temperature, 1) : temperature;
}

function isOn(thinking: Fields | undefined): boolean {
  return thinking?.type === 'enabled' || thinking?.type === 'adaptive';
}

/** Opus 4.5 was the first to know an effort; the highest ones came later. */
function knownEffort(effort: unknown, { family, version }: Claude): unknown {
  if (effort === undefined || effort === null) return undefined;
  if (version < 406) {
    if (family !== 'opus' || version < 405) return undefined;
    return effort === 'xhigh' || effort === 'max' ? 'high' : effort;
  }
  return effort === 'xhigh' && version < 407 ? 'high' : effort;
}
