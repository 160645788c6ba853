import { type GatewayError } from '../../../contract/gateway-error.js';
import {
  type ImagesRequest,
  type ImagesResult,
  type ImagesUsage,
  type SourceImage,
} from '../../../contract/images.js';
import { type Model } from '../../../contract/model.js';
import { isObject, listOf, someText } from '../../../json/values.js';
import { brokenAnswer } from '../broken-answer.js';
import { type Codec, type Decoded } from '../../provider.js';
import { type Base64File, type FormPart } from '../../upstream-body.js';
import { base64ImageHeader, base64Start, mayBeBase64 } from './image-header.js';
import { moderated } from './image-result.js';
import { sizeText } from './image-size.js';
import { addressOf } from './image-sources.js';
import { fixedSize, imagesOnly, refuseSvg, takesFormat, withSources } from './openai-images.js';
import { completedReply, isCallersFault, isEventStream } from './openai-images-stream.js';
import { errorIn } from '../provider-error.js';
import { openaiImagesUsage } from './openai-images-usage.js';
import { isSound } from '../sound-usage.js';

/**
 * OpenAI's image generation, for requests that cannot be passed on as they came.
 * https://platform.openai.com/docs/api-reference/images/create
 */
export const openaiImagesCodec: Codec<'images'> = {
  encode: ({ request, model }) => [
    { path: '/images/generations', body: { json: fieldsFor(request, model) }, framing: 'none' },
  ],
  decode: (replies, { request, model, created }) =>
    decoded(replies[0]?.bytes, { request, model, created }),
};

/**
 * OpenAI's image edits. Files travel in its form, which every server in this format takes; where one
 * of the images is an address, all travel in its JSON.
 * https://platform.openai.com/docs/api-reference/images/createEdit
 */
export const openaiImageEditsCodec: Codec<'image-edits'> = {
  encode: ({ request, model }) => {
    const { images, mask, ...rest } = request;
    const fields = fieldsFor(rest, model);
    const isAddressed = [...images, ...(mask ? [mask] : [])].some((image) => 'url' in image);
    const body = isAddressed
      ? {
          json: {
            ...fields,
            images: images.map(reference),
            ...(mask && { mask: reference(mask) }),
          },
        }
      : { form: formOf(fields, images, mask) };
    return [{ path: '/images/edits', body, framing: 'none' }];
  },
  decode: (replies, { request, model, created }) => {
    const answer = decoded<'image-edits'>(replies[0]?.bytes, { request, model, created });
    return { ...answer, usage: withSources(answer.usage, request.images, model) };
  },
};

/** What the caller sent but for what the provider refuses: see the relay, which changes the same. */
function fieldsFor(request: ImagesRequest, model: Model): Record<string, unknown> {
  refuseSvg(request, model);
  const { name } = model;
  const { metadata: _kept, response_format: format, ...fields } = request;
  const wanted =
    format !== undefined && takesFormat(name, format) ? { response_format: format } : {};
  return { ...fields, ...wanted, model: name };
}

function reference(image: SourceImage): { image_url: string | Base64File } {
  return { image_url: addressOf(image) };
}

function formOf(
  fields: Readonly<Record<string, unknown>>,
  images: readonly SourceImage[],
  mask: SourceImage | undefined,
): readonly FormPart[] {
  // OpenAI's own clients name a single image so, and some servers know no other name.
  const name = images.length === 1 ? 'image' : 'image[]';
  return [
    ...Object.entries(fields).flatMap(([key, value]) => textParts(key, value)),
    ...images.flatMap((image) => fileParts(name, image)),
    ...(mask ? fileParts('mask', mask) : []),
  ];
}

/** Lists and objects are flattened as OpenAI's clients do: `list[]` and `object[key]`. */
function textParts(name: string, value: unknown): readonly FormPart[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((member) => textParts(`${name}[]`, member));
  if (typeof value === 'object') {
    return Object.entries(value).flatMap(([key, member]) => textParts(`${name}[${key}]`, member));
  }
  return [{ name, value: typeof value === 'string' ? value : JSON.stringify(value) }];
}

function fileParts(name: string, image: SourceImage): readonly FormPart[] {
  return 'url' in image ? [] : [{ name, file: image.file, fileName: image.name }];
}

function decoded<E extends 'images' | 'image-edits'>(
  bytes: Buffer | undefined,
  { request, model, created }: { request: ImagesRequest; model: Model; created: number },
): Decoded<E> {
  const reply = replyIn(bytes);
  const items = reply?.data;
  const said = items === undefined ? errorIn(reply) : undefined;
  if (said && isCallersFault(said)) throw moderated(said.message, said.code);
  // One that was filtered has none in its place.
  const images = (listOf(items) as unknown[]).filter(isItem).filter(hasImage).map(wholeItem);
  if (!reply || images.length === 0) throw broken(model);
  const { data: _data, usage, created: at, output_format: format, size, ...rest } = reply;
  const header = base64ImageHeader(someText(images[0]?.b64_json) ?? '');
  const realSize = someText(size) ?? sizeText(header?.size) ?? fixedSize(request.size);
  const quality = someText(rest.quality) ?? someText(request.quality);
  const result: ImagesResult = {
    created: Number.isInteger(at) ? Number(at) : created,
    data: images,
    output_format: someText(format) ?? header?.format ?? null,
    size: realSize ?? null,
    usage: isSound(usage) ? ((usage ?? null) as ImagesUsage | null) : null,
    rest,
  };
  return {
    result,
    usage: openaiImagesUsage(usage, images.length) ?? imagesOnly(model, images.length),
    image: { ...(realSize !== undefined && { size: realSize }), ...(quality && { quality }) },
  };
}

/** Every item has all three keys, whichever of them the provider filled, and base64 with nothing before it. */
function wholeItem(item: WireItem): ImagesResult['data'][number] {
  const { b64_json: given = null, url = null, revised_prompt = null } = item;
  const base64 = someText(given);
  const b64_json = base64 === undefined ? given : base64.slice(base64Start(base64));
  return { ...item, b64_json, url, revised_prompt };
}

interface WireReply {
  readonly data?: unknown;
  readonly usage?: unknown;
  readonly created?: unknown;
  readonly output_format?: unknown;
  readonly size?: unknown;
  readonly quality?: unknown;
  readonly [field: string]: unknown;
}

interface WireItem {
  readonly b64_json?: string | null;
  readonly url?: string | null;
  readonly revised_prompt?: string | null;
}

function replyIn(bytes: Buffer | undefined): WireReply | undefined {
  if (!bytes) return undefined;
  try {
    const whole = isEventStream(bytes) ? completedReply(bytes) : bytes;
    const reply: unknown = whole && JSON.parse(whole.toString());
    return typeof reply === 'object' && reply !== null ? (reply as WireReply) : undefined;
  } catch {
    return undefined;
  }
}

function isItem(item: unknown): item is WireItem {
  return isObject(item);
}

function hasImage({ b64_json: base64, url }: WireItem): boolean {
  return mayBeBase64(someText(base64) ?? '') || someText(url) !== undefined;
}

function broken({ provider }: Model): GatewayError {
  return brokenAnswer(`The provider ${provider} sent an answer that is broken.`);
}
