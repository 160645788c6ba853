import { GatewayError } from '../contract/gateway-error.js';
import { type Model } from '../contract/model.js';
import { type CreateImageEditBody, type ImageRef } from './dto/create-image-edit-body.dto.js';

const DATA_URL = /^data:image\/(png|jpe?g|webp|gif);base64,[A-Za-z0-9+/]+={0,2}$/;

/**
 * Refuses a reference that could not work: an address that is neither `https:` nor the data of an
 * image.
 *
 * @throws GatewayError 400 `invalid_image_url`.
 */
export function checkAddresses(body: CreateImageEditBody): void {
  for (const [param, { image_url: url }] of references(body)) {
    if (url == null || DATA_URL.test(url) || /^https:\/\/[^/]/.test(url)) continue;
    const message =
      'An image_url must be data:image/<png|jpeg|webp|gif>;base64,<…> or begin with https://.';
    throw new GatewayError(400, 'invalid_image_url', message, { param: `${param}.image_url` });
  }
}

/**
 * Refuses what this model's provider cannot be given. The gateway fetches no address itself.
 *
 * @throws GatewayError 400 `remote_url_not_supported` or 404 `file_not_found`.
 */
export function checkReachable(body: CreateImageEditBody, { id, capabilities }: Model): void {
  for (const [param, { file_id: file, image_url: url }] of references(body)) {
    if (file != null) {
      const message = `No such file: '${file}'.`;
      throw new GatewayError(404, 'file_not_found', message, { param: `${param}.file_id` });
    }
    if (url?.startsWith('https:') && !capabilities.remote_urls) {
      const message = `${id} takes no remote addresses: send the image as a data: URL or as the file_id of an upload.`;
      throw new GatewayError(400, 'remote_url_not_supported', message, {
        param: `${param}.image_url`,
      });
    }
  }
}

function references({ images, mask }: CreateImageEditBody): [string, ImageRef][] {
  const named = images.map((image, index): [string, ImageRef] => [`images[${index}]`, image]);
  return mask == null ? named : [...named, ['mask', mask]];
}
