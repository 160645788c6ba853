import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { type RequestContext } from '../contract/caller.js';
import { GatewayError } from '../contract/gateway-error.js';
import { type ImageEditRequest, type SourceImage } from '../contract/images.js';
import { type Model } from '../contract/model.js';
import { FetchFailure, guardedFetch } from '../upstream/guarded-fetch.js';
import { UploadedFiles } from '../uploads/uploaded-files.service.js';
import { bytesInDataUrl, isDataUrl } from './data-url.js';
import { type EditInput, type Given } from './edit-input.js';
import { MOST_IMAGE_BYTES, type ReceivedFile, type RequestFiles } from './request-files.js';
import { sideBySide } from './side-by-side.js';
import { type CheckedImage, checkedImage, checkMask } from './source-check.js';

type Sources = Pick<ImageEditRequest, 'images' | 'mask'>;
type Asker = Pick<RequestContext, 'caller' | 'signal'>;

const HEAD_BYTES = 256 * 1024;

/** Finds the images that an edit names, and looks at their headers. */
@Injectable()
export class EditSources {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly uploads: UploadedFiles,
  ) {}

  /**
   * Refuses addresses that could not work for any model.
   *
   * @throws GatewayError 400 `invalid_image_url`.
   */
  checkAddresses({ images, mask }: EditInput): void {
    for (const given of mask ? [...images, mask] : images) {
      const url = 'ref' in given ? given.ref.image_url : undefined;
      if (url == null || isDataUrl(url) || isRemote(url)) continue;
      const message =
        'An image_url must be data:image/<png|jpeg|webp|gif>;base64,<…> or begin with https://.';
      throw invalidUrl(given, message);
    }
  }

  /**
   * The images as a codec takes them. An address is passed on unread to a provider that reads
   * addresses itself; with `IMAGE_FETCH` the gateway reads it for the others, several at once.
   *
   * @throws GatewayError 400 for what is no image or cannot be given to this model, 404 for an upload
   *   that is not the caller's, and what the storage throws.
   */
  async resolve(asker: Asker, model: Model, { images, mask, files }: EditInput): Promise<Sources> {
    const all = mask ? [...images, mask] : images;
    const found = await sideBySide(all, asker.signal, async (given, signal) => {
      const image = await this.imageOf({ ...asker, signal }, model, given, files);
      return { image, source: 'url' in image ? image : named(image, given) };
    });
    const sources = found.map(({ source }) => source);
    if (!mask) return { images: sources };
    const [canvas, painted] = [found[0]?.image, found.at(-1)?.image];
    if (canvas && painted && 'file' in canvas && 'file' in painted) checkMask(canvas, painted);
    const last = sources.pop();
    return { images: sources, ...(last && { mask: last }) };
  }

  private async imageOf(
    asker: Asker,
    model: Model,
    given: Given,
    files: RequestFiles,
  ): Promise<CheckedImage | { readonly url: string }> {
    if ('upload' in given) return checkedImage(given.upload, given.param);
    const { file_id: id, image_url: url } = given.ref;
    if (id != null) return checkedImage(await this.uploaded(asker, id, given.param), given.param);
    if (url == null) throw invalidUrl(given, 'An image needs an image_url or a file_id.');
    if (isDataUrl(url)) {
      const received = await files.receive(bytesInDataUrl(url), tooLarge(given));
      return checkedImage(received, `${given.param}.image_url`);
    }
    if (model.capabilities.remote_urls) return { url };
    if (!this.config.imageFetch) throw notSupported(given, model);
    return checkedImage(await fetched(url, asker, given, files), `${given.param}.image_url`);
  }

  private async uploaded(
    { caller, signal }: Asker,
    id: string,
    param: string,
  ): Promise<ReceivedFile> {
    const upload = await this.uploads.open(caller, id, signal);
    if (!upload) {
      const message = `No such file: '${id}'.`;
      throw new GatewayError(404, 'file_not_found', message, { param: `${param}.file_id` });
    }
    const file = upload.blob;
    const head = await file.slice(0, HEAD_BYTES).arrayBuffer();
    return { file, head: new Uint8Array(head) };
  }
}

/** Whatever is wrong with the address, the answer is the same. */
async function fetched(
  url: string,
  { signal }: Asker,
  given: Given,
  files: RequestFiles,
): Promise<ReceivedFile> {
  try {
    return await files.receive(guardedFetch(url, { signal }), tooLarge(given));
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error;
    const message = 'The image_url could not be fetched: it must be a public https:// address.';
    throw invalidUrl(given, message);
  }
}

function isRemote(url: string): boolean {
  return /^https:\/\/[^/]/.test(url) && URL.canParse(url);
}

/** A name of our own, where the caller gave none: some providers want one. */
function named({ file, mediaType, size }: CheckedImage, given: Given): SourceImage {
  const sent = 'upload' in given ? given.upload.name : '';
  const plain = given.param.replace(/\W+/g, '-').replace(/-$/, '');
  const name = /^[\w. -]{1,100}$/.test(sent) ? sent : `${plain}.${mediaType.slice(6)}`;
  return { file, mediaType, name, ...(size && { pixels: size }) };
}

function tooLarge({ param }: Given) {
  const message = `The image '${param}' is larger than ${MOST_IMAGE_BYTES} bytes.`;
  return {
    most: MOST_IMAGE_BYTES,
    tooLarge: () => new GatewayError(413, 'request_too_large', message, { param }),
  };
}

function invalidUrl({ param }: Given, message: string): GatewayError {
  return new GatewayError(400, 'invalid_image_url', message, { param: `${param}.image_url` });
}

function notSupported({ param }: Given, { id }: Model): GatewayError {
  const message = `${id} takes no remote addresses: send the image as a data: URL or as the file_id of an upload.`;
  return new GatewayError(400, 'remote_url_not_supported', message, {
    param: `${param}.image_url`,
  });
}
