import { type Caller } from '../contract/caller.js';
import { GatewayError } from '../contract/gateway-error.js';
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

/** The 404 of a model that is not there, or not for the caller's account. */
export function unknownModel(id: string, param: string): GatewayError {
  const message = `The model '${id}' does not exist or is not enabled on your account.`;
  return new GatewayError(404, 'model_not_found', message, { param });
}

/** The 451 of a model that is there, in other regions than the caller's. */
export function outsideRegion(id: string, param: string): GatewayError {
  const message = `The model '${id}' is not available in your region.`;
  return new GatewayError(451, 'region_not_allowed', message, { param });
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
