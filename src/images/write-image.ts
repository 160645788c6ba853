import { type Response } from 'express';
import { GatewayError } from '../contract/gateway-error.js';
import { drained } from '../http/stalled-reader.js';
import { type KeptImage } from './image-store.service.js';

/**
 * Writes an image as it is read; a browser is told to take it for nothing else.
 *
 * @param stallMs a reader that takes nothing for so long is cut.
 * @throws GatewayError 404 where there is none.
 */
export async function writeImage(
  response: Response,
  opened: Promise<KeptImage | undefined>,
  stallMs: number,
): Promise<void> {
  const image = await opened;
  if (!image) {
    throw new GatewayError(404, 'file_not_found', 'There is no such image, or not any more.');
  }
  const { file, mediaType, secondsLeft } = image;
  response.writeHead(200, {
    'content-type': mediaType,
    'content-length': file.size,
    'cache-control': `private, max-age=${secondsLeft}, immutable`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
  });
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  try {
    for await (const piece of file.stream()) {
      // Whoever hangs up wants no more of it.
      if (response.destroyed) return;
      if (!response.write(piece)) await drained(response, stallMs);
    }
    response.end();
  } catch {
    response.destroy();
  }
}
