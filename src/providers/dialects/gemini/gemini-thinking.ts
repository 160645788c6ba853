import { type NeutralRequest } from '../../../contract/neutral.js';
import { askedEffort, type Effort } from '../asked-output.js';
import { geminiGeneration } from './gemini-generation.js';
import { untranslatable } from '../placed-blocks.js';

/**
 * `thinkingConfig`; undefined when the request leaves thinking to the model, and for models that do
 * not think. https://ai.google.dev/gemini-api/docs/thinking
 *
 * @throws GatewayError 400 for a kind of thinking that is not known.
 */
export function thinkingConfig(request: NeutralRequest, name: string): object | undefined {
  const kind = request.thinking?.type;
  if (kind !== undefined && !KINDS.has(kind)) {
    throw untranslatable('thinking.type', 'must be enabled, disabled or adaptive.');
  }
  const effort = askedEffort(request);
  const generation = geminiGeneration(name);
  const isHidden = request.thinking?.display === 'omitted';
  const isSilent = kind === undefined && effort === undefined;
  if (isSilent || generation === undefined || generation < 2.5 || OTHER_OUTPUT.test(name)) {
    return undefined;
  }
  return {
    ...(generation < 3
      ? { thinkingBudget: budget(request, effort, name) }
      : level(request, effort, name, generation)),
    ...(isThinkingOn(request) && !isHidden && { includeThoughts: true }),
  };
}

/** Whether the caller asked for thinking, and so expects blocks of it. */
export function isThinkingOn({ thinking }: NeutralRequest): boolean {
  return thinking?.type === 'enabled' || thinking?.type === 'adaptive';
}

const KINDS: ReadonlySet<unknown> = new Set(['enabled', 'disabled', 'adaptive']);

/** Models that make images or speech take no such setting. */
const OTHER_OUTPUT = /-(?:image|tts|native-audio)\b/;

/** What the efforts of Google's OpenAI interface mean: https://ai.google.dev/gemini-api/docs/openai */
const BUDGETS: Readonly<Record<Effort, number>> = { low: 1_024, medium: 8_192, high: 24_576 };
/** The model decides. */
const DYNAMIC = -1;

/** A budget is a bound, so a smaller one keeps it; a larger one than the model's own is refused. */
function budget({ thinking }: NeutralRequest, effort: Effort | undefined, name: string): number {
  const [least, most] = budgetRange(name);
  if (thinking?.type === 'disabled') return least;
  const asked = thinking?.type === 'enabled' ? Number(thinking.budget_tokens) : NaN;
  if (Number.isFinite(asked)) return Math.min(most, Math.max(LEAST_BUDGET, Math.round(asked)));
  return effort ? Math.min(most, BUDGETS[effort]) : DYNAMIC;
}

/** Flash-Lite takes nothing between 0 and this. */
const LEAST_BUDGET = 512;

function budgetRange(name: string): [least: number, most: number] {
  return name.includes('-pro') ? [128, 32_768] : [0, 24_576];
}

/** Thinking cannot be switched off here, so the least there is stands for it. */
function level(
  { thinking }: NeutralRequest,
  effort: Effort | undefined,
  name: string,
  generation: number,
): { thinkingLevel?: string } {
  const isPro = name.includes('-pro');
  if (thinking?.type === 'disabled') {
    return { thinkingLevel: isPro || generation >= NO_MINIMAL ? 'low' : 'minimal' };
  }
  if (!effort) return {};
  // The first Pro of the generation knows low and high only.
  return { thinkingLevel: isPro && generation === 3 && effort === 'medium' ? 'high' : effort };
}

/** https://ai.google.dev/gemini-api/docs/generate-content/whats-new-gemini-3.7 */
const NO_MINIMAL = 3.7;
