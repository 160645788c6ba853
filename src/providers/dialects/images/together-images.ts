import { present } from '../../../json/values.js';
import { type Decoded, type UpstreamCall, type UpstreamReply } from '../../provider.js';
import { type ImageDialect } from './image-dialect.js';
import {
  askedPixels,
  askedText,
  type ImageCall,
  imagesPerCall,
  joined,
  megapixelsOf,
  ownParameters,
} from './image-request.js';
import { imagesMade } from './image-result.js';
import { sizeText } from './image-size.js';
import { addressOf, checkCount, refuseMask, type Sources } from './image-sources.js';
import { openaiItems } from './openai-image-items.js';
import { replyObject } from '../reply-object.js';

/**
 * Together's images: OpenAI's path and answer, with width and height in place of a size, `base64` for
 * `b64_json`, and source images among the fields. https://docs.together.ai/reference/post-images-generations
 */
export const togetherImages: ImageDialect = { encode, decode };

const MOST_PER_CALL = 4;

function encode(call: ImageCall, sources: Sources): readonly UpstreamCall[] {
  refuseMask(call, sources);
  const own = ownParameters(call, ['output_format']);
  const { response_format: asked } = call.request;
  const fields = { ...askedPixels(call), ...sourceFields(call, sources) };
  const body = {
    model: call.model.name,
    prompt: call.request.prompt,
    ...present({
      response_format: asked === 'b64_json' ? 'base64' : asked,
      output_format: askedText(call, 'output_format'),
    }),
    ...joined(call, fields, own),
  };
  return imagesPerCall(call, MOST_PER_CALL).map((n) => ({
    path: '/images/generations',
    body: { json: { ...body, ...((n > 1 || call.request.n === n) && { n }) } },
    framing: 'none',
  }));
}

/** FLUX.1 takes one image; the models since then take a list. */
function sourceFields(call: ImageCall, sources: Sources): Record<string, unknown> {
  const addresses = sources.images.map(addressOf);
  if (addresses.length === 0) return {};
  if (!/FLUX\.1|kontext/i.test(call.model.name)) return { reference_images: addresses };
  checkCount(call, sources, 1);
  return { image_url: addresses[0] };
}

function decode(replies: readonly UpstreamReply[], call: ImageCall): Decoded<'images'> {
  const bodies = replies.map((reply) => replyObject(reply) as { created?: unknown });
  const size = sizeText(askedPixels(call));
  const images = bodies.flatMap(openaiItems).map((image) => ({ ...image, size }));
  return imagesMade(call, images, {
    created: bodies[0]?.created,
    kind: { size: megapixelsOf(call) },
  });
}
