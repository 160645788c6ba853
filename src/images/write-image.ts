import { type Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GatewayError } from '../contract/gateway-error.js';
import { type KeptImage } from './image-store.service.js';

/**
 * Writes an image as it is read; a browser is told to take it for nothing else.
 *
 * @throws GatewayError 404 where there is none.
 */
export async function writeImage(response: Response, image: KeptImage | undefined): Promise<void> {
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
  // Whoever hangs up wants no more of it.
  await pipeline(Readable.from(file.stream(), { objectMode: false }), response).catch(
    () => undefined,
  );
}
