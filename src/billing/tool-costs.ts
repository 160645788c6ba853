import { containerOf } from '../contract/container.js';
import { helpersIn } from '../contract/helper.js';
import { type Model, type Rates } from '../contract/model.js';
import { dearest, type Units } from '../contract/money.js';
import { toolsIn } from '../contract/tools.js';
import { type Fields, isObject, textOf } from '../json/values.js';
import { imageCost } from './image-cost.js';
import { toolFees } from './price.js';

/** Searches that a model makes for one answer where the caller sets no bound; it may make more. */
const USUAL_SEARCHES = 5;
/**
 * Advice that is asked for in one answer where the caller sets no bound, and
 * how long it is; both may be more.
 */
const USUAL_ADVICE = { times: 3, tokens: 2_048 } as const;
/**
 * Pictures that are made for one answer where the caller sets no bound, and what is read for one: what it shall
 * show, and the pictures of the conversation, not its text.
 */
const USUAL_PICTURES = { times: 2, tokens: 10_000 } as const;
/** https://developers.openai.com/api/docs/guides/tools-image-generation */
const USUAL_FRAMES = 9;

/** What the provider's own tools may cost on top of the tokens: searches, and containers. */
export function mostToolFees(rates: Rates, body: Bounds): Units {
  const tools = toolsIn(body).map(({ tool }) => tool);
  const { web_search_options: options } = body;
  const ofWeb = [...tools.filter(isWebSearch), ...(isObject(options) ? [options] : [])];
  const ofFiles = tools.filter(({ type }) => textOf(type).startsWith('file_search'));
  const most = (searches: readonly Fields[]): number =>
    Math.max(0, ...searches.map((one) => searchesOf(one, body)));
  return toolFees(rates, {
    webSearches: most(ofWeb),
    fileSearches: most(ofFiles),
    containerGigabytes: tools.reduce((sum, tool) => sum + (containerOf(tool)?.gigabytes ?? 0), 0),
  });
}

/** Google's own tool has no type: it is the member that it has. */
function isWebSearch(tool: Fields): boolean {
  if (textOf(tool.type).startsWith('web_search')) return true;
  return Object.keys(tool).some((name) => GOOGLE_SEARCH.test(name));
}

const GOOGLE_SEARCH = /^google_?search/i;

function searchesOf({ max_uses: most }: Fields, body: Bounds): number {
  return wholeNumber(most) ?? mostCalls(body) ?? USUAL_SEARCHES;
}

/**
 * What the model may cost that another one uses by a tool of the request.
 *
 * @param helper the one that is used.
 * @param input as long as the request, at the dearest rate that it may be read at.
 */
export function helpCost(helper: Model, body: Bounds, input: Read): Units {
  const costs = helpersIn(body).map(({ format, tool }) =>
    format === 'anthropic'
      ? adviceCost(helper.pricing, tool, input)
      : picturesCost(helper, tool, body, input),
  );
  return dearest(...costs);
}

/** An advisor reads all that the model itself reads, each time. */
function adviceCost({ outputPerToken = 0n }: Rates, tool: Fields, { tokens, rate }: Read): Units {
  const times = wholeNumber(tool.max_uses) ?? USUAL_ADVICE.times;
  const written = wholeNumber(tool.max_tokens) ?? USUAL_ADVICE.tokens;
  return BigInt(times) * (BigInt(tokens) * rate + BigInt(written) * outputPerToken);
}

function picturesCost(helper: Model, tool: Fields, body: Bounds, { tokens, rate }: Read): Units {
  const times = mostCalls(body) ?? USUAL_PICTURES.times;
  const isFilm = tool.output_format === 'gif';
  const frames = isFilm ? (wholeNumber(tool.frame_count) ?? USUAL_FRAMES) : 1;
  const read = BigInt(Math.min(tokens, USUAL_PICTURES.tokens)) * rate;
  return BigInt(times) * (read + BigInt(frames) * imageCost(helper.pricing, helper, tool));
}

/** Of all tools that OpenAI runs. */
function mostCalls({ max_tool_calls: most }: Bounds): number | undefined {
  return wholeNumber(most);
}

interface Bounds {
  readonly max_tool_calls?: unknown;
  /** Of a chat, which has no tool for it. */
  readonly web_search_options?: unknown;
}

interface Read {
  readonly tokens: number;
  readonly rate: Units;
}

/** A count that a caller gives: a whole number from 0, else undefined. */
export function wholeNumber(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}
