import { type ImageKind, type SourceImage } from '../../../contract/images.js';
import { paidSources } from '../../../contract/megapixels.js';
import { type Model } from '../../../contract/model.js';
import { NO_USAGE, type Usage } from '../../../contract/usage.js';
import {
  endOfValue,
  type Member,
  memberAt,
  readMembers,
  walkArray,
  walkObject,
} from '../../../json/scan.js';
import { spliceMembers, type Splices } from '../../../json/splice.js';
import { type Fields, isText, parsedMember } from '../../../json/values.js';
import { type Relay, type RelayContext, type RelayedReply } from '../../provider.js';
import { base64ImageHeader, base64Start, mayBeBase64 } from './image-header.js';
import { notTaken } from './image-request.js';
import { sizeText } from './image-size.js';
import { completedReply, isCallersFault, isEventStream } from './openai-images-stream.js';
import { errorIn } from '../provider-error.js';
import { openaiImagesUsage } from './openai-images-usage.js';
import { isSound } from '../sound-usage.js';

/**
 * OpenAI's image generation, passed through without parsing the images.
 * https://platform.openai.com/docs/api-reference/images
 */
export const openaiImagesRelay: Relay = { request: requestTo('/images/generations'), reply };

/** The same for edits, whose JSON form takes references as data or by address. */
export const openaiImageEditsRelay: Relay = {
  request: requestTo('/images/edits'),
  reply: (bytes, call) => {
    const read = reply(bytes, call);
    const images = call.body.images as readonly SourceImage[] | undefined;
    return read && { ...read, usage: withSources(read.usage, images, call.model) };
  },
};

/** The usage of an edit, with the source images that it is paid for. */
export function withSources(
  usage: Usage | undefined,
  images: readonly SourceImage[] = [],
  { pricing }: Model,
): Usage | undefined {
  return usage && { ...usage, sourceImages: paidSources(images, pricing) };
}

function requestTo(path: string): Relay['request'] {
  return ({ model, body }) => {
    refuseSvg(body, model);
    const edits = new Map<string, string | undefined>([
      ['model', JSON.stringify(model.name)],
      // Free-form metadata is kept with the request; the provider refuses the field.
      ['metadata', undefined],
    ]);
    if (!takesFormat(model.name, body.response_format)) edits.set('response_format', undefined);
    return { path, headers: {}, edits };
  };
}

/**
 * An SVG is written by a second model, which the caller may choose in `svg`: whether they may use
 * it, and where, nobody would have looked at, and its tokens, which `svg_usage` tells, have
 * neither a price here nor a bound.
 * https://developers.openai.com/api/docs/guides/image-generation
 *
 * @throws GatewayError 400 naming the field; a price for the whole image covers the format, but not the choice.
 */
export function refuseSvg(fields: Fields, model: Model): void {
  // A form has the members of an object as `svg[model]`.
  const choice = Object.keys(fields).find((name) => /^svg(?:\[|$)/.test(name));
  if (choice !== undefined && fields[choice] !== null)
    throw notTaken({ model }, choice, BY_ANOTHER);
  const { output_format: format } = fields;
  const isSvg = isText(format) && /^svg$/i.test(format);
  if (isSvg && model.pricing.perImage === undefined) {
    throw notTaken({ model }, 'output_format', BY_ANOTHER);
  }
}

const BY_ANOTHER = 'An SVG is written by a second model, which has no price here.';

function reply(bytes: Buffer, call: RelayContext): RelayedReply | undefined {
  const text = isEventStream(bytes) ? completedReply(bytes) : bytes;
  const scanned = text && scanReply(text);
  if (!scanned) return undefined;
  const { members } = scanned;
  const data = memberAt(members, 'data');
  const error = memberAt(members, 'error');
  if (!data && error) {
    const said = errorIn({ error: parsedMember(text, error) });
    if (!said) return undefined;
    const told = isCallersFault(said) ? { ...said, isRefusal: true } : said;
    return { usage: undefined, splices: new Map(), outputBytes: 0, error: told };
  }
  return data && relayed(text, scanned, call);
}

interface ScannedReply {
  readonly members: readonly Member[];
  /** The members of each image; undefined when `data` is not a list of objects. */
  readonly images: readonly (readonly Member[])[] | undefined;
}

/** Finds all that has to be known of a reply in one pass over its bytes. */
function scanReply(text: Buffer): ScannedReply | undefined {
  const members: Member[] = [];
  let images: Member[][] | undefined;
  const end = walkObject(text, 0, (key, start, valueStart) => {
    const found: Member[][] = [];
    const readImage = (from: number): number | undefined => {
      const image: Member[] = [];
      found.push(image);
      return readMembers(text, from, image);
    };
    const listEnd = key === 'data' ? walkArray(text, valueStart, readImage) : undefined;
    if (key === 'data') images = listEnd === undefined ? undefined : found;
    const valueEnd = listEnd ?? endOfValue(text, valueStart);
    if (valueEnd !== undefined) members.push({ key, start, valueStart, end: valueEnd });
    return valueEnd;
  });
  return end === undefined ? undefined : { members, images };
}

function relayed(
  text: Buffer,
  { members, images: items = [] }: ScannedReply,
  { model, body, created }: RelayContext,
): RelayedReply | undefined {
  // One that was filtered has none in its place.
  const images = items.filter((item) => hasImage(text, item));
  const [shown] = images;
  if (!shown) return undefined;
  const pieces: Buffer[] = [Buffer.from('[')];
  images.forEach((item, index) => {
    if (index > 0) pieces.push(Buffer.from(','));
    pieces.push(...spliceMembers(text, item, changesIn(text, item)));
  });
  pieces.push(Buffer.from(']'));
  const splices = new Map<string, string | readonly Buffer[]>([['data', pieces]]);
  const usage = parsedMember(text, memberAt(members, 'usage'));
  if (usage === undefined || !isSound(usage)) splices.set('usage', 'null');
  if (!Number.isInteger(parsedMember(text, memberAt(members, 'created')))) {
    splices.set('created', String(created));
  }
  const first = memberAt(shown, 'b64_json');
  const header = first && base64ImageHeader(text.subarray(base64At(text, first), first.end));
  const size = textOf(text, members, 'size') ?? sizeText(header?.size) ?? fixedSize(body.size);
  if (!textOf(text, members, 'size')) splices.set('size', JSON.stringify(size ?? null));
  if (!textOf(text, members, 'output_format')) {
    splices.set('output_format', JSON.stringify(header?.format ?? null));
  }
  const quality = textOf(text, members, 'quality') ?? body.quality;
  const image: ImageKind = {
    ...(size !== undefined && { size }),
    ...(typeof quality === 'string' && { quality }),
  };
  return {
    usage: openaiImagesUsage(usage, images.length) ?? imagesOnly(model, images.length),
    text,
    members,
    splices,
    outputBytes: 0,
    images: images.length,
    image,
  };
}

/** A model that is priced by the image reports no tokens, and that is no gap. */
export function imagesOnly(model: Model, images: number): Usage | undefined {
  return model.pricing.perImage === undefined ? undefined : { ...NO_USAGE, images };
}

/** Every item has all three keys, whichever of them the provider filled, and base64 with nothing before it. */
function changesIn(text: Buffer, item: readonly Member[]): Splices {
  const keys = ['b64_json', 'url', 'revised_prompt'].filter((key) => !memberAt(item, key));
  const changes = new Map<string, string | Buffer[]>(keys.map((key) => [key, 'null']));
  const inline = memberAt(item, 'b64_json');
  const start = inline ? base64At(text, inline) : 0;
  if (inline && start > inline.valueStart + 1) {
    changes.set('b64_json', [Buffer.from('"'), text.subarray(start, inline.end)]);
  }
  return changes;
}

function base64At(text: Buffer, { valueStart, end }: Member): number {
  const start = valueStart + 1;
  return start + base64Start(text.toString('latin1', start, Math.min(end, start + HEAD_BYTES)));
}

/** The size that was asked for, when it names one; a model picks its own for `auto`. */
export function fixedSize(size: unknown): string | undefined {
  return typeof size === 'string' && /^\d+x\d+$/.test(size) ? size : undefined;
}

/**
 * Whether a model is to be told of this `response_format`. GPT image models give base64 in any case and
 * refuse the field, so that they are told only of what cannot be honoured here either.
 */
export function takesFormat(name: string, format: unknown): boolean {
  const isHonoured = format === 'url' || format === 'b64_json' || format == null;
  return !isHonoured || !/^(gpt-image|chatgpt-image)/.test(name);
}

/** Whether there is more than an empty text, or words in the place of an image, which itself is not read. */
function hasImage(text: Buffer, item: readonly Member[]): boolean {
  const beginning = (key: string): string => {
    const member = memberAt(item, key);
    if (!member || text[member.valueStart] !== QUOTE) return '';
    const start = member.valueStart + 1;
    return text.toString('latin1', start, Math.min(member.end - 1, start + HEAD_BYTES));
  };
  return mayBeBase64(beginning('b64_json')) || beginning('url') !== '';
}

const HEAD_BYTES = 1_024;

const QUOTE = 0x22;

function textOf(text: Buffer, members: readonly Member[], key: string): string | undefined {
  const value = parsedMember(text, memberAt(members, key));
  return typeof value === 'string' ? value : undefined;
}
