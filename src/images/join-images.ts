import { GatewayError } from '../contract/gateway-error.js';
import { type ImagesRequest, type ImagesResult, type ImagesUsage } from '../contract/images.js';
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
    usage: usages.every((usage) => usage !== null) ? usages.reduce(sumOf) : null,
  };
}

/** Counts are added at every depth. */
function sumOf(one: ImagesUsage, other: ImagesUsage): ImagesUsage {
  return added(one, other) as ImagesUsage;
}

function added(one: unknown, other: unknown): unknown {
  if (typeof one === 'number' && typeof other === 'number') return one + other;
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return one ?? other;
  const more = other as Record<string, unknown>;
  return Object.fromEntries(
    Object.keys({ ...one, ...more }).map((key) => [
      key,
      added((one as Record<string, unknown>)[key], more[key]),
    ]),
  );
}
