import { type Format } from '../contract/endpoint.js';
import { type Target } from '../providers/provider.js';
import { conversationWay } from '../providers/serves.js';
import { type Choice, type Need } from './choice.js';

/** A request that no model takes would otherwise be sent to every one there is. */
const MOST_TRIES = 10;

/**
 * Of a ranking the first ten, and behind them the best model of each format that none of these speaks:
 * what cannot be translated into one format can be into another, or need not be.
 */
export function worthTrying<T extends { readonly target: Target }>(
  ranked: readonly T[],
  { format }: Need,
  choice: Choice,
): readonly T[] {
  const spoken = new Set<Format | undefined>();
  return ranked.filter(({ target }, index) => {
    const own = formatOf(target, format, choice);
    const isNew = !spoken.has(own);
    spoken.add(own);
    return index < MOST_TRIES || isNew;
  });
}

/**
 * Of a ranking whose first ones the gateway has no words for, those that it may have some for, ten at most:
 * the best one of each other provider and format that reasons, and the best one that does not. Providers of
 * one format differ in what they take, and so do models that reason.
 *
 * @param refused those that have been tried.
 */
export function otherWays(
  ranked: readonly { readonly target: Target }[],
  refused: readonly Target[],
  { format }: Need,
  choice: Choice,
): readonly Target[] {
  const wayOf = (target: Target): string => {
    const { provider, capabilities } = target.model;
    return [provider, formatOf(target, format, choice), capabilities.supports_reasoning].join(' ');
  };
  const tried = new Set(refused.map(wayOf));
  const ways = ranked.filter(({ target }) => {
    const way = wayOf(target);
    const isNew = !tried.has(way);
    tried.add(way);
    return isNew;
  });
  return ways.slice(0, MOST_TRIES).map(({ target }) => target);
}

function formatOf(target: Target, format: Format | undefined, choice: Choice): Format | undefined {
  return format && conversationWay(target, format, choice)?.format;
}
