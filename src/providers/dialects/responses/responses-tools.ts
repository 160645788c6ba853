import { type Container, containerOf } from '../../../contract/container.js';
import { toolsIn } from '../../../contract/tools.js';
import { NO_USAGE, tokenCount, type Usage } from '../../../contract/usage.js';
import { type Fields, membersOf, textOf } from '../../../json/values.js';
import { type RelayContext } from '../../provider.js';
import { openaiImagesUsage } from '../images/openai-images-usage.js';
import { untranslatable } from '../placed-blocks.js';
import { itemsOf, type OutputItem, type ResponseBody } from './responses-reading.js';

/**
 * What OpenAI's own tools consumed for an answer: searches cost a fee each (opening a page found costs none),
 * containers one by their memory, and pictures what the model costs that made them.
 * https://developers.openai.com/api/docs/pricing#built-in-tools
 *
 * @param asked the request's body.
 */
export function toolUsage(response: ResponseBody, asked: Fields): Partial<Usage> {
  const items = itemsOf(response);
  const told = membersOf(response.tool_usage);
  const webSearches = tokenCount(membersOf(told.web_search).num_requests);
  const help = picturesUsage(told.image_gen, items.filter(isPicture).length);
  return {
    webSearches: webSearches ?? items.filter(isSearch).length,
    fileSearches: items.filter((item) => item?.type === 'file_search_call').length,
    containerGigabytes: gigabytesUsed(items, asked),
    ...(help && { help: [help] }),
  };
}

function isSearch(item: OutputItem | null): boolean {
  return item?.type === 'web_search_call' && (item.action?.type ?? 'search') === 'search';
}

function isPicture(item: OutputItem | null): boolean {
  return item?.type === 'image_generation_call' && textOf(item.result) !== '';
}

/** Undefined where none was made; without tokens where the provider does not tell them. */
function picturesUsage(wire: unknown, images: number): Usage | undefined {
  const { input_tokens_details: input, cached_tokens_details: cached, ...totals } = membersOf(wire);
  const { cached_image_tokens: image_tokens, cached_text_tokens: text_tokens } = membersOf(cached);
  const cached_tokens_details = { image_tokens, text_tokens };
  const input_tokens_details = { ...membersOf(input), cached_tokens_details };
  const usage = openaiImagesUsage({ ...totals, input_tokens_details }, images);
  const isTold = usage !== undefined && (totals.input_tokens !== 0 || totals.output_tokens !== 0);
  if (isTold) return usage;
  return images > 0 ? { ...NO_USAGE, images } : undefined;
}

/** Of an item what `toolUsage` looks at: a picture has megabytes. */
export function toolIn(item: OutputItem): OutputItem {
  return {
    type: item.type,
    container_id: item.container_id,
    environment: { container_id: item.environment?.container_id },
    action: { type: item.action?.type },
    result: textOf(item.result) === '' ? '' : 'drawn',
  };
}

/** Each container once, whatever it was used for and how often. */
function gigabytesUsed(items: readonly (OutputItem | null)[], asked: Fields): number {
  const used = new Map<unknown, number>();
  for (const item of items) {
    const id = item?.container_id ?? item?.environment?.container_id;
    if (typeof id === 'string') used.set(id, memoryFor(item?.type, asked));
  }
  return [...used.values()].reduce((sum, gigabytes) => sum + gigabytes, 0);
}

function memoryFor(usedIn: unknown, asked: Fields): number {
  const made = toolsIn(asked).map(({ tool }) => containerOf(tool));
  const fitting = made.filter((one): one is Container => one?.usedIn === usedIn);
  return Math.max(1, ...fitting.map(({ gigabytes }) => gigabytes));
}

/**
 * Refuses a picture that a model draws which no request names, and which has no price here.
 *
 * @throws GatewayError 400 naming the field.
 */
export function refuseSvg({ body }: Pick<RelayContext, 'body'>): void {
  for (const { tool, at } of toolsIn(body)) {
    if (textOf(tool.type).startsWith('image_generation') && tool.output_format === 'svg') {
      throw untranslatable(`${at}.output_format`, 'a model draws it that nobody has looked at.');
    }
  }
}
