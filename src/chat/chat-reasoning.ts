import { invalid, placed } from '../http/request-fields.js';
import { type Fields, isObject, isText } from '../json/values.js';
import { type Tooling } from './chat-tools.js';

/** How much a model shall think, in the neutral shape. */
export interface ThinkingSettings {
  readonly thinking?: Fields;
  /** What belongs into `output_config`. */
  readonly config: Fields;
}

/**
 * `reasoning_effort`, or OpenRouter's `reasoning`, as Anthropic's adaptive thinking with an effort;
 * Anthropic's own `thinking` goes on as it is.
 * https://platform.openai.com/docs/guides/reasoning,
 * https://docs.anthropic.com/en/docs/build-with-claude/effort
 *
 * @throws GatewayError 400 for an effort that is no word.
 */
export function thinkingSettings(body: Fields, { tool_choice }: Tooling): ThinkingSettings {
  const { effort, budget, enabled } = asked(body);
  const config =
    effort === undefined || effort === 'none' ? {} : { effort: EFFORTS.get(effort) ?? effort };
  if (isObject(body.thinking)) return { thinking: body.thinking, config };
  if (effort === 'none' || enabled === false) return { thinking: { type: 'disabled' }, config };
  // Anthropic refuses to think before a tool that is forced.
  if (tool_choice?.type === 'any' || tool_choice?.type === 'tool') return { config };
  if (typeof budget === 'number') {
    return { thinking: { type: 'enabled', budget_tokens: budget }, config };
  }
  if (effort === undefined && enabled !== true) return { config };
  return { thinking: { type: 'adaptive' }, config };
}

interface Asked {
  readonly effort: string | undefined;
  readonly budget?: unknown;
  readonly enabled?: unknown;
}

/** https://openrouter.ai/docs/use-cases/reasoning-tokens */
function asked({ reasoning_effort, reasoning }: Fields): Asked {
  if (isText(reasoning_effort)) return { effort: reasoning_effort };
  // Forms send the empty text for what was not chosen.
  if ((reasoning_effort ?? '') !== '') {
    throw invalid('reasoning_effort', 'must be a string.');
  }
  if (reasoning === undefined || reasoning === null) return { effort: undefined };
  const { effort, max_tokens, enabled } = placed(reasoning, 'reasoning').fields;
  return { effort: isText(effort) ? effort : undefined, budget: max_tokens, enabled };
}

/** Anthropic's scale begins at `low`. */
const EFFORTS: ReadonlyMap<string, string> = new Map([['minimal', 'low']]);
