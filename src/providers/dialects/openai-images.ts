import { GatewayError } from '../../contract/gateway-error.js';
import { type Model } from '../../contract/model.js';
import { NO_USAGE, type Usage } from '../../contract/usage.js';
import { type Member, scanArray, scanObject } from '../../json/scan.js';
import { spliceMembers } from '../../json/splice.js';
import { type ImageKind, type Relay, type RelayContext, type RelayedReply } from '../provider.js';
import { imageFormat, pngSize } from './image-header.js';
import { errorIn } from './provider-error.js';
import { openaiImagesUsage } from './usage.js';

/**
 * OpenAI's image generation, passed through without parsing the images.
 * https://platform.openai.com/docs/api-reference/images
 */
export const openaiImagesRelay: Relay = { request: requestTo('/images/generations'), reply };

/** The same for edits, whose JSON form takes references as data or by address. */
export const openaiImageEditsRelay: Relay = { request: requestTo('/images/edits'), reply };

function requestTo(path: string): Relay['request'] {
  return ({ model, body }) => {
    const edits = new Map<string, string | undefined>([
      ['model', JSON.stringify(model.name)],
      // Free-form metadata is kept with the request; the provider refuses the field.
      ['metadata', undefined],
    ]);
    // GPT image models give base64 in any case and refuse the field.
    if (alwaysBase64(model.name)) {
      if (body.response_format === 'url') throw noUrl(model.id);
      edits.set('response_format', undefined);
    }
    return { path, headers: {}, edits };
  };
}

function reply(bytes: Buffer, call: RelayContext): RelayedReply | undefined {
  const text = isEventStream(bytes) ? completedEvent(bytes) : bytes;
  const members = text && scanObject(text);
  if (!members) return undefined;
  const data = find(members, 'data');
  const error = find(members, 'error');
  if (!data && error) {
    const said = errorIn({ error: parseMember(text, error) });
    return said && { usage: undefined, splices: new Map(), outputBytes: 0, error: said };
  }
  return data && relayed(text, members, data, call);
}

function relayed(
  text: Buffer,
  members: readonly Member[],
  data: Member,
  { model, body, created }: RelayContext,
): RelayedReply | undefined {
  const items = scanArray(text, data.valueStart)?.map(({ start }) => scanObject(text, start));
  if (!items || items.some((item) => item === undefined)) return undefined;
  const pieces: Buffer[] = [Buffer.from('[')];
  items.forEach((item, index) => {
    if (index > 0) pieces.push(Buffer.from(','));
    pieces.push(...spliceMembers(text, item ?? [], missingKeys(item ?? [])));
  });
  pieces.push(Buffer.from(']'));
  const splices = new Map<string, string | readonly Buffer[]>([['data', pieces]]);
  const usage = parseMember(text, find(members, 'usage'));
  if (usage === undefined) splices.set('usage', 'null');
  if (!Number.isInteger(parseMember(text, find(members, 'created')))) {
    splices.set('created', String(created));
  }
  const first = items[0] && find(items[0], 'b64_json');
  const header = first ? text.subarray(first.valueStart + 1, first.valueStart + 65) : undefined;
  const size = textOf(text, members, 'size') ?? (header && pngSize(header)) ?? fixedSize(body.size);
  if (!textOf(text, members, 'size')) splices.set('size', JSON.stringify(size ?? null));
  if (!textOf(text, members, 'output_format')) {
    splices.set('output_format', JSON.stringify((header && imageFormat(header)) ?? null));
  }
  const quality = textOf(text, members, 'quality') ?? body.quality;
  const image: ImageKind = {
    ...(size !== undefined && { size }),
    ...(typeof quality === 'string' && { quality }),
  };
  return {
    usage: openaiImagesUsage(usage, items.length) ?? imagesOnly(model, items.length),
    text,
    splices,
    outputBytes: 0,
    image,
  };
}

/** A model that is priced by the image reports no tokens, and that is no gap. */
function imagesOnly(model: Model, images: number): Usage | undefined {
  return model.pricing.perImage === undefined ? undefined : { ...NO_USAGE, images };
}

/** Every item has all three keys, whichever of them the provider filled. */
function missingKeys(item: readonly Member[]): ReadonlyMap<string, string> {
  const keys = ['b64_json', 'url', 'revised_prompt'].filter((key) => !find(item, key));
  return new Map(keys.map((key) => [key, 'null']));
}

/** The size that was asked for, when it names one; a model picks its own for `auto`. */
function fixedSize(size: unknown): string | undefined {
  return typeof size === 'string' && /^\d+x\d+$/.test(size) ? size : undefined;
}

function alwaysBase64(name: string): boolean {
  return /^(gpt-image|chatgpt-image)/.test(name);
}

function noUrl(id: string): GatewayError {
  return new GatewayError(
    400,
    'unsupported_parameter',
    `${id} gives images as base64 only: leave response_format out or ask for b64_json.`,
    { param: 'response_format' },
  );
}

function isEventStream(bytes: Buffer): boolean {
  return /^\s*(event|data|id|retry)?:/.test(bytes.toString('latin1', 0, 64));
}

/**
 * The last event of an image stream as a normal reply; partial images before it are left out.
 * https://platform.openai.com/docs/api-reference/images-streaming
 */
function completedEvent(bytes: Buffer): Buffer | undefined {
  const lines = bytes.toString().split(/\r?\n/);
  const events = lines
    .filter((line) => line.startsWith('data:') && !line.includes('[DONE]'))
    .map((line) => JSON.parse(line.slice(5)) as CompletedEvent);
  const failure = events.find((event) => event.error);
  if (failure) return Buffer.from(JSON.stringify({ error: failure.error }));
  const done = events.filter((event) => event.type?.endsWith('.completed'));
  const [event] = done;
  if (!event) return undefined;
  const { type, b64_json, created_at: created, ...rest } = event;
  const data = done.map((image) => ({ b64_json: image.b64_json }));
  const usage = done.map((image) => image.usage).reduce(sumOf);
  return Buffer.from(JSON.stringify({ created, data, ...rest, usage }));
}

interface CompletedEvent {
  type?: string;
  b64_json?: string;
  created_at?: number;
  usage?: unknown;
  error?: unknown;
}

/** Each image of a stream reports its own usage; counts are added at every depth. */
function sumOf(one: unknown, other: unknown): unknown {
  if (typeof one === 'number' && typeof other === 'number') return one + other;
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return one;
  const added = other as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(one).map(([key, value]) => [key, sumOf(value, added[key])]),
  );
}

function find(members: readonly Member[], key: string): Member | undefined {
  return members.findLast((member) => member.key === key);
}

/** The parsed member; undefined when it is missing, null or broken. */
function parseMember(text: Buffer, member: Member | undefined): unknown {
  if (!member) return undefined;
  try {
    return JSON.parse(text.toString('utf8', member.valueStart, member.end)) ?? undefined;
  } catch {
    return undefined;
  }
}

function textOf(text: Buffer, members: readonly Member[], key: string): string | undefined {
  const value = parseMember(text, find(members, key));
  return typeof value === 'string' ? value : undefined;
}
