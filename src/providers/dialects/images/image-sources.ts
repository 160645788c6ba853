import { GatewayError } from '../../../contract/gateway-error.js';
import { type SourceImage } from '../../../contract/images.js';
import { Base64File, type FormPart } from '../../upstream-body.js';
import { type ImageCall, notTaken } from './image-request.js';
import { type Pixels } from './image-size.js';

/** What an edit begins with; nothing where an image is made from text alone. */
export interface Sources {
  /** The canvas, then references. */
  readonly images: readonly SourceImage[];
  readonly mask?: SourceImage;
}

/** The image as an address: the one that it has, or `data:` with its bytes. */
export function addressOf(image: SourceImage): string | Base64File {
  if ('url' in image) return image.url;
  return new Base64File(image.file, `data:${image.mediaType};base64,`);
}

/**
 * The image's bytes, for providers that take no addresses.
 *
 * @throws GatewayError 400 `remote_url_not_supported`.
 */
export function fileOf(
  { model }: ImageCall,
  image: SourceImage,
  param: string,
): Exclude<SourceImage, { url: string }> {
  if ('file' in image) return image;
  const message = `${model.id} takes no remote addresses: send the image as a data: URL or as the file_id of an upload.`;
  throw new GatewayError(400, 'remote_url_not_supported', message, { param });
}

/** The bytes as base64 in a JSON body; errors as `fileOf`. */
export function base64Of(call: ImageCall, image: SourceImage, param: string): Base64File {
  return new Base64File(fileOf(call, image, param).file);
}

/** The bytes as a part of a form; errors as `fileOf`. */
function partOf(
  call: ImageCall,
  image: SourceImage,
  { name, param }: { readonly name: string; readonly param: string },
): FormPart {
  const { file, mediaType, name: fileName } = fileOf(call, image, param);
  return { name, file: file.slice(0, file.size, mediaType), fileName };
}

/** All of them as parts `image` and `mask` of a form; errors as `fileOf`. */
export function filesIn(call: ImageCall, { images, mask }: Sources): FormPart[] {
  const parts = images.map((image, index) =>
    partOf(call, image, { name: 'image', param: sourceParam(index) }),
  );
  return mask ? [...parts, partOf(call, mask, { name: 'mask', param: 'mask' })] : parts;
}

/** The images that an edit begins with; none where one is made from text. */
export function sourcesOf({ request }: ImageCall): readonly SourceImage[] {
  return Array.isArray(request.images) ? (request.images as readonly SourceImage[]) : [];
}

/** The size of an image; undefined where nobody here has read its header. */
export function pixelsIn(image: SourceImage | undefined): Pixels | undefined {
  return image && 'file' in image ? image.pixels : undefined;
}

/** How messages name a source image: `images[0]`. */
export function sourceParam(index: number): string {
  return `images[${index}]`;
}

/** @throws GatewayError 400 for a mask, which the model cannot be given. */
export function refuseMask(call: ImageCall, { mask }: Sources): void {
  if (mask) throw notTaken(call, 'mask');
}

/** @throws GatewayError 400 for more source images than the model takes. */
export function checkCount(call: ImageCall, { images }: Sources, most: number): void {
  if (images.length <= most) return;
  const count = most === 0 ? 'no images' : most === 1 ? 'one image' : `at most ${most} images`;
  throw notTaken(call, 'images', `It takes ${count}.`);
}
