import { type ImageHeader, imageHeader } from '../../../contract/image-header.js';

/** Base64 that reaches for the header of any usual JPEG; the others need 40 characters. */
const HEAD_CHARACTERS = 400_000;

/**
 * Format and size of an image in base64, told by its first bytes.
 *
 * @returns undefined for anything but a PNG, JPEG, WebP or GIF.
 */
export function base64ImageHeader(base64: Buffer | string): ImageHeader | undefined {
  const text =
    typeof base64 === 'string'
      ? base64.slice(0, HEAD_CHARACTERS)
      : base64.toString('latin1', 0, HEAD_CHARACTERS);
  return imageHeader(Buffer.from(text, 'base64'));
}

/**
 * Whether a text may be an image in base64, by how it begins; words in the place of one are none. Some
 * servers write a whole `data:` address there, and JSON may have a backslash before a slash.
 */
export function mayBeBase64(text: string): boolean {
  return /^(?:data:|[\w+/=\r\n\\-]+$)/.test(text.slice(0, HEAD_OF_WORDS));
}

/** Where the base64 begins in what `mayBeBase64` takes: behind the beginning of a `data:` address. */
export function base64Start(text: string): number {
  const [beginning = ''] = /^data:image\\?\/[\w.+-]+;base64,/.exec(text) ?? [];
  return beginning.length;
}

/** Characters that are looked at. */
const HEAD_OF_WORDS = 1_024;
