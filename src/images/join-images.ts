import { GatewayError } from '../contract/gateway-error.js';
import { addedImagesUsage, type ImagesRequest, type ImagesResult } from '../contract/images.js';
import { type Model } from '../contract/model.js';

/**
 * The requests for as many images as were asked for, none for more than the provider makes in a call
 * (`max_images`).
 *
 * @throws GatewayError 400 for a request that several calls would answer with the same image.
 */
export function imageParts<R extends ImagesRequest>(
  request: R,
  { id, capabilities }: Model,
): readonly R[] {
  const wanted = request.n ?? 1;
  const most = capabilities.max_images ?? wanted;
  if (wanted <= most) return [request];
  if (request.seed !== undefined && request.seed !== null) {
    const message = `Invalid 'n': ${id} makes at most ${most} images at once, and with a seed more would be the same again.`;
    throw new GatewayError(400, 'invalid_value', message, { param: 'n' });
  }
  const calls = Math.ceil(wanted / most);
  return Array.from({ length: calls }, (_, index) => ({
    ...request,
    n: Math.min(most, wanted - index * most),
  }));
}

/** All images in one answer; what they share is the first one's. */
export function joinImages(results: readonly [ImagesResult, ...ImagesResult[]]): ImagesResult {
  const [first] = results;
  const usages = results.map(({ usage }) => usage);
  return {
    ...first,
    data: results.flatMap(({ data }) => data),
    usage: usages.every((usage) => usage !== null) ? usages.reduce(addedImagesUsage) : null,
  };
}
