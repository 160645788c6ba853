import { GatewayError } from '../../../contract/gateway-error.js';
import { type ImageKind, type ImagesUsage } from '../../../contract/images.js';
import { type Units } from '../../../contract/money.js';
import { paidSources } from '../../../contract/megapixels.js';
import { NO_USAGE, type Usage } from '../../../contract/usage.js';
import { isText } from '../../../json/values.js';
import { type Decoded } from '../../provider.js';
import { brokenAnswer } from '../broken-answer.js';
import { base64ImageHeader, base64Start, mayBeBase64 } from './image-header.js';
import { sizeText } from './image-size.js';
import { type ImageCall } from './image-request.js';
import { sourcesOf } from './image-sources.js';

/** An image as a provider gave it. */
export interface MadeImage {
  readonly base64?: string;
  readonly url?: string;
  readonly revisedPrompt?: string;
  /** What the provider says of it: `image/png`, `1024x1024`. */
  readonly mediaType?: string | undefined;
  readonly size?: string | undefined;
}

/** What a provider told beside the images. */
export interface Told {
  /** Unix seconds. */
  readonly created?: unknown;
  /** Tokens; absent where the provider counts images only. */
  readonly tokens?: { readonly usage: Usage; readonly wire: ImagesUsage } | undefined;
  /** What the price depends on, where it is not the size of the image and no quality. */
  readonly kind?: ImageKind;
  /** How many calls it took, each with all the source images; 1 unless said. */
  readonly calls?: number;
  /** What the provider says that it costs. */
  readonly charged?: Units | undefined;
  readonly rest?: Readonly<Record<string, unknown>>;
}

/**
 * The result of a call that made these images. Format and size are the first image's own where it can
 * be looked at, else what the provider says of it.
 *
 * @throws GatewayError 502 when there are none, or none but words in the place of base64.
 */
export function imagesMade(
  call: ImageCall,
  given: readonly MadeImage[],
  { created, tokens, kind, calls = 1, charged, rest = {} }: Told = {},
): Decoded<'images'> {
  const images = given.flatMap((image) => {
    const { base64 } = image;
    if (base64 === undefined) return [image];
    const bare = base64.slice(base64Start(base64));
    return mayBeBase64(bare) ? [{ ...image, base64: bare }] : [];
  });
  const [first] = images;
  if (!first) throw brokenAnswer('The provider answered without an image.');
  const header = first.base64 === undefined ? undefined : base64ImageHeader(first.base64);
  const size = sizeText(header?.size) ?? first.size ?? null;
  const format = header?.format ?? formatOf(first.mediaType);
  return {
    result: {
      created: Number.isInteger(created) ? (created as number) : call.created,
      data: images.map(({ base64, url, revisedPrompt }) => ({
        b64_json: base64 ?? null,
        url: url ?? null,
        revised_prompt: revisedPrompt ?? null,
      })),
      output_format: format ?? null,
      size,
      usage: tokens?.wire ?? null,
      rest,
    },
    usage: tokens
      ? { ...tokens.usage, images: images.length }
      : counted(call, images.length, calls),
    image: kind ?? (size === null ? {} : { size }),
    ...(charged !== undefined && { charged }),
  };
}

/** The bytes in a `data:` address; undefined for any other address. */
export function dataIn(url: string): Pick<MadeImage, 'base64' | 'mediaType'> | undefined {
  const [, mediaType, base64] = /^data:(image\/[\w.+-]+);base64,(.+)$/s.exec(url) ?? [];
  return base64 === undefined ? undefined : { base64, mediaType };
}

/** The type of an image by the name of the file at its address; undefined where that tells none. */
export function mediaTypeAt(address: string): string | undefined {
  const [, format] = /\.(png|jpe?g|webp)(?:\?|$)/.exec(address) ?? [];
  return format && `image/${format}`;
}

/**
 * The 400 of a request that the provider's own rules refused after it had taken it: it is the
 * caller's to change.
 */
export function moderated(message: string, code = 'moderation_blocked'): GatewayError {
  return new GatewayError(400, 'invalid_request', message, { upstream: { status: 200, code } });
}

/**
 * The 502 of a model that was to draw and did not, with what it said.
 *
 * @param hasSpoken whether it did something else instead, which any caller can have it do while it draws for
 * the others.
 */
export function drewNothing(words: string, hasSpoken: boolean): GatewayError {
  const said = words && `: ${words.slice(0, LONGEST_REASON)}`;
  return brokenAnswer(`The model answered without an image${said}`, { hasSpoken });
}

/** The 502 of work of which a provider that was asked says nothing: it may go on, and is to be stopped. */
export function noStatus(): GatewayError {
  return brokenAnswer('The provider does not say what became of what it began.');
}

/** The 502 of work that the provider gave up, in its own words. */
export function gaveUp(reason: unknown): GatewayError {
  const said = isText(reason) ? reason : undefined;
  const text = said?.slice(0, LONGEST_REASON);
  return brokenAnswer(`The provider failed${text === undefined ? '.' : `: ${text}`}`);
}

const LONGEST_REASON = 500;

/** A model that is priced by tokens has to report them; one that is priced by the image does not. */
function counted(call: ImageCall, images: number, calls: number): Usage | undefined {
  const { pricing } = call.model;
  if (pricing.perImage === undefined) return undefined;
  const sourceImages = calls * paidSources(sourcesOf(call), pricing);
  return { ...NO_USAGE, images, sourceImages };
}

function formatOf(mediaType: string | undefined): string | undefined {
  const [, format] = /^image\/([\w.+-]+)$/.exec(mediaType ?? '') ?? [];
  return format === 'jpg' ? 'jpeg' : format;
}
