import { type Format } from '../contract/endpoint.js';
import { type Target } from '../providers/provider.js';
import { conversation } from '../providers/serves.js';
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
    const own = format && conversation(target, format, choice)?.format;
    const isNew = !spoken.has(own);
    spoken.add(own);
    return index < MOST_TRIES || isNew;
  });
}
