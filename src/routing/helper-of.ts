import { type HelperTool } from '../contract/helper.js';
import { type Model } from '../contract/model.js';
import { type Target } from '../providers/provider.js';
import { conversationWay, helperMissing } from '../providers/serves.js';
import { type Asked } from './choice.js';

/** Another model that the one which serves a request would use, and the tool by which it would. */
export interface Helper {
  readonly id: string;
  /** Undefined where there is no such model. */
  readonly model: Model | undefined;
  readonly tool: HelperTool;
}

/** Whom a model would use for a request; undefined where no tool of it gets to one that does. */
export function helperOf(
  target: Target,
  { helpers, need: { format }, choice }: Asked,
  find: (id: string) => Model | undefined,
): Helper | undefined {
  if (helpers.length === 0 || !format) return undefined;
  const way = conversationWay(target, format, choice);
  const tool = helpers.find((one) => one.format === way?.format);
  if (!tool) return undefined;
  const id = `${target.model.provider}/${tool.model}`;
  return { id, model: find(id), tool };
}

/**
 * The models of a plan that a call does not pass over because one that would help them is not there; all of
 * them for a sandbox key, which has the sandbox answer.
 *
 * @throws GatewayError 400 where that leaves none, as the call does.
 */
export function withHelpers(
  plan: readonly Target[],
  { caller, need: { format }, choice }: Omit<Asked, 'helpers'>,
): readonly Target[] {
  if (caller.keyType === 'sandbox') return plan;
  const helped = plan.filter(({ helper }) => helper !== null);
  const [first] = plan;
  const way = first && format && conversationWay(first, format, choice);
  if (way && helped.length === 0) throw helperMissing(way.format, choice);
  return helped;
}
