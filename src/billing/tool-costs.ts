import { helpersIn } from '../contract/helper.js';
import { type Rates } from '../contract/model.js';
import { dearest, type Units } from '../contract/money.js';
import { toolsIn } from '../contract/tools.js';
import { type Fields, textOf } from '../json/values.js';

/** Searches that a model makes for one answer where the caller sets no bound; it may make more. */
const USUAL_SEARCHES = 5;
/** Advice that is asked for in one answer where the caller sets no bound, and how long it is; both may be more. */
const USUAL_ADVICE = { times: 3, tokens: 2_048 } as const;

/** What the searches may cost that a tool of the provider's own makes. */
export function toolFees({ perWebSearch = 0n }: Rates, body: object): Units {
  if (perWebSearch === 0n) return 0n;
  const searches = toolsIn(body)
    .filter(({ tool }) => textOf(tool.type).startsWith('web_search'))
    .map(({ tool }) => wholeNumber(tool.max_uses) ?? USUAL_SEARCHES);
  return perWebSearch * BigInt(Math.max(0, ...searches));
}

/**
 * What the model may cost that another one uses by a tool of the request.
 *
 * @param rates of the model that helps.
 * @param input as long as the request, at the dearest rate that it may be read at.
 */
export function helpCost(rates: Rates, body: object, input: Read): Units {
  return dearest(...helpersIn(body).map(({ tool }) => adviceCost(rates, tool, input)));
}

/** An advisor reads all that the model itself reads, each time. */
function adviceCost({ outputPerToken = 0n }: Rates, tool: Fields, { tokens, rate }: Read): Units {
  const times = wholeNumber(tool.max_uses) ?? USUAL_ADVICE.times;
  const written = wholeNumber(tool.max_tokens) ?? USUAL_ADVICE.tokens;
  return BigInt(times) * (BigInt(tokens) * rate + BigInt(written) * outputPerToken);
}

interface Read {
  readonly tokens: number;
  readonly rate: Units;
}

/** A count that a caller gives: a whole number from 0, else undefined. */
export function wholeNumber(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}
