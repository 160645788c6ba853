/** `POST /v3/images/generations`, after its checks. Fields not named here travel with it. */
export interface ImagesRequest {
  readonly model: string;
  readonly prompt: string;
  readonly n?: number;
  readonly size?: string;
  readonly quality?: string;
  readonly response_format?: string;
  readonly stream?: boolean;
  readonly [field: string]: unknown;
}

/** An image that the caller gave: its bytes, which may lie on disk, or an address nobody has read. */
export type SourceImage =
  | {
      readonly file: Blob;
      readonly mediaType: string;
      readonly name: string;
      /** Where its header says it. */
      readonly pixels?: { readonly width: number; readonly height: number };
    }
  | { readonly url: string };

/** `POST /v3/images/edits`, after its checks and with its references resolved. */
export interface ImageEditRequest extends ImagesRequest {
  /** The canvas, then references. */
  readonly images: readonly SourceImage[];
  readonly mask?: SourceImage;
}

/** What a price by the image depends on; `auto` and absent mean the provider's default. */
export interface ImageKind {
  readonly size?: string;
  readonly quality?: string;
}

/** Token counts as the image APIs report them; image tokens are part of the totals. */
export interface ImagesUsage {
  readonly total_tokens: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly [field: string]: unknown;
}

/** One image, as base64 or by an address. */
interface ImageItem {
  readonly b64_json: string | null;
  readonly url: string | null;
  readonly revised_prompt: string | null;
}

/**
 * The images of an answer, in OpenAI’s words.
 * https://platform.openai.com/docs/api-reference/images/object
 */
export interface ImagesResult {
  /** Unix seconds. */
  readonly created: number;
  readonly data: readonly ImageItem[];
  readonly output_format: string | null;
  readonly size: string | null;
  readonly usage: ImagesUsage | null;
  /** Further fields of the provider's answer, passed on. */
  readonly rest: Readonly<Record<string, unknown>>;
}

/** Both usages: counts are added at every depth. */
export function addedImagesUsage(one: ImagesUsage, other: ImagesUsage): ImagesUsage {
  return addedCounts(one, other) as ImagesUsage;
}

function addedCounts(one: unknown, other: unknown): unknown {
  if (typeof one === 'number' && typeof other === 'number') return one + other;
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return one ?? other;
  const more = other as Record<string, unknown>;
  return Object.fromEntries(
    Object.keys({ ...one, ...more }).map((key) => [
      key,
      addedCounts((one as Record<string, unknown>)[key], more[key]),
    ]),
  );
}
