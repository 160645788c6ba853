/** The formats that the gateway takes and knows. */
export type ImageFormat = 'png' | 'jpeg' | 'webp' | 'gif';

/** Pixels of the largest image that any provider takes, and some more. */
export const MOST_PIXELS = 100_000_000;

/** What the first bytes of an image file tell of it. */
export interface ImageHeader {
  readonly format: ImageFormat;
  /** Pixels; absent where they stand further on in the file. */
  readonly size?: { readonly width: number; readonly height: number };
}

/**
 * Format and size of an image by its magic bytes and header; nothing is decoded.
 *
 * @param bytes the beginning of the file; some hundred kB reach for any usual JPEG, 32 bytes for the
 * other formats.
 * @returns undefined when they are not the beginning of a PNG, JPEG, WebP or GIF.
 */
export function imageHeader(bytes: Uint8Array): ImageHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const format = formatOf(bytes);
  if (!format || view.byteLength < LEAST[format]) return undefined;
  const size = SIZES[format](view);
  return size ? { format, size } : { format };
}

type Size = NonNullable<ImageHeader['size']>;

/** Bytes without which a file of the format is no image. */
const LEAST: Record<ImageFormat, number> = { png: 24, jpeg: 4, webp: 25, gif: 10 };

const SIZES: Record<ImageFormat, (view: DataView) => Size | undefined> = {
  // The first chunk is IHDR. https://www.w3.org/TR/png-3/#11IHDR
  png: (view) => ({ width: view.getUint32(16), height: view.getUint32(20) }),
  jpeg: jpegSize,
  webp: webpSize,
  // https://www.w3.org/Graphics/GIF/spec-gif89a.txt
  gif: (view) => ({ width: view.getUint16(6, true), height: view.getUint16(8, true) }),
};

function formatOf(bytes: Uint8Array): ImageFormat | undefined {
  const starts = (marks: readonly number[], at = 0): boolean =>
    marks.every((mark, index) => bytes[at + index] === mark);
  if (starts([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) && starts(IHDR, 12)) return 'png';
  if (starts([0xff, 0xd8, 0xff])) return 'jpeg';
  if (starts(RIFF) && starts(WEBP, 8)) return 'webp';
  const isGif = starts(GIF8) && (bytes[4] === 0x37 || bytes[4] === 0x39) && bytes[5] === 0x61;
  return isGif ? 'gif' : undefined;
}

const IHDR = [0x49, 0x48, 0x44, 0x52];
const RIFF = [0x52, 0x49, 0x46, 0x46];
const WEBP = [0x57, 0x45, 0x42, 0x50];
const GIF8 = [0x47, 0x49, 0x46, 0x38];

/** In the frame header, behind segments of any kind. https://www.w3.org/Graphics/JPEG/itu-t81.pdf B.2.2 */
function jpegSize(view: DataView): Size | undefined {
  let at = 2;
  while (at + 9 <= view.byteLength) {
    const marker = view.getUint8(at + 1);
    // Bytes that belong to no segment are passed over, as decoders do.
    if (view.getUint8(at) !== 0xff || marker === 0xff) {
      at += 1;
    } else if (isFrame(marker)) {
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    } else {
      at += 2 + Math.max(2, view.getUint16(at + 2));
    }
  }
  return undefined;
}

/** SOF0 to SOF15 without the tables DHT, JPG and DAC among them. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** https://developers.google.com/speed/webp/docs/riff_container */
function webpSize(view: DataView): Size | undefined {
  const chunk = view.getUint32(12);
  // "VP8L", of which the smallest images have 26 bytes: 14 bits each, less one
  if (chunk === 0x5650384c) {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (view.byteLength < 30) return undefined;
  switch (chunk) {
    case 0x56503820: // "VP8 "
      return {
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
      };
    case 0x56503858: // "VP8X": 24 bits each, less one
      return { width: int24(view, 24) + 1, height: int24(view, 27) + 1 };
    default:
      return undefined;
  }
}

function int24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}
