import { type Caller } from '../contract/caller.js';
import { type Model } from '../contract/model.js';

/** Whether a list of patterns such as `openai/*` covers a model id; null covers every one. */
export function mayUse(patterns: readonly string[] | null, modelId: string): boolean {
  return patterns === null || patterns.some((pattern) => matches(pattern, modelId));
}

/**
 * Whether a model exists for a caller: on its account's list and in its region. (A key's own list
 * does not hide a model, it forbids it.) Without a caller every model does.
 */
export function visibleTo(caller: Caller | undefined, model: Model): boolean {
  if (!caller) return true;
  return mayUse(caller.accountModels, model.id) && servedIn(caller.region, model);
}

/** Whether a model is served in a region; a model without regions is served everywhere. */
export function servedIn(region: string | null, { regions = [] }: Model): boolean {
  if (region === null || regions.length === 0) return true;
  return regions.some(({ code }) => code === region.toLowerCase());
}

/** `*` stands for any run of characters; found piece by piece, so no pattern takes long. */
function matches(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first)) return false;
  let from = first.length;
  for (const piece of rest) {
    const at = text.indexOf(piece, from);
    if (at < 0) return false;
    from = at + piece.length;
  }
  return text.length - last.length >= from && text.endsWith(last);
}
