import { type ImageHeader, imageHeader, MOST_PIXELS } from '../contract/image-header.js';
import { invalidValue } from '../http/parameter-error.js';
import { type ReceivedFile } from './request-files.js';

/** A source image whose first bytes were looked at. */
export interface CheckedImage {
  readonly file: Blob;
  readonly mediaType: string;
  readonly size: ImageHeader['size'];
}

/**
 * The image with the type that its bytes have, whatever was declared. Nothing is decoded.
 *
 * @throws GatewayError 400 naming `param` for what is no PNG, JPEG, WebP or GIF, or has too many
 *   pixels.
 */
export function checkedImage({ file, head }: ReceivedFile, param: string): CheckedImage {
  const header = imageHeader(head);
  if (!header) throw invalidValue(param, 'the bytes are no PNG, JPEG, WebP or GIF image');
  const { size } = header;
  if (size && size.width * size.height > MOST_PIXELS) {
    throw invalidValue(param, `the image has more than ${MOST_PIXELS} pixels`);
  }
  if (size && (size.width === 0 || size.height === 0))
    throw invalidValue(param, 'the image is empty');
  const mediaType = `image/${header.format}`;
  // The same bytes: a slice of a file that lies on the disk is not read.
  return { file: file.slice(0, file.size, mediaType), mediaType, size };
}

/** @throws GatewayError 400 for a mask of another size than the canvas, where both are known. */
export function checkMask(canvas: CheckedImage, mask: CheckedImage): void {
  const [one, other] = [canvas.size, mask.size];
  if (!one || !other || (one.width === other.width && one.height === other.height)) return;
  const sizes = `${other.width}x${other.height}, the first image ${one.width}x${one.height}`;
  throw invalidValue('mask', `it must have the size of the first image, but it has ${sizes}`);
}
