import { present } from '../../../json/values.js';
import { type Decoded, type UpstreamCall, type UpstreamReply } from '../../provider.js';
import { charged } from '../charged.js';
import { type ImageDialect } from './image-dialect.js';
import {
  askedShape,
  askedText,
  type ImageCall,
  imagesPerCall,
  joined,
  ownParameters,
} from './image-request.js';
import { imagesMade } from './image-result.js';
import { type Shapes } from './image-size.js';
import { addressOf, checkCount, refuseMask, type Sources } from './image-sources.js';
import { openaiItems } from './openai-image-items.js';
import { replyObject } from '../reply-object.js';

/**
 * xAI's images: OpenAI's paths, but a shape in place of a size, and edits in JSON.
 * https://docs.x.ai/docs/api-reference#image-generation
 */
export const xaiImages: ImageDialect = { encode, decode };

const MOST_PER_CALL = 10;
const MOST_SOURCES = 3;
/** The shapes that xAI’s models draw. */
export const XAI_SHAPES: Shapes = {
  ratios: [
    ...['1:1', '3:4', '4:3', '9:16', '16:9', '2:3', '3:2', '1:2', '2:1'],
    ...['9:19.5', '19.5:9', '9:20', '20:9'],
  ],
  resolutions: { '1k': 1024, '2k': 2048 },
};

function encode(call: ImageCall, sources: Sources): readonly UpstreamCall[] {
  refuseMask(call, sources);
  checkCount(call, sources, MOST_SOURCES);
  const takesQuality = takesQualityOf(call.model.name);
  const own = ownParameters(call, takesQuality ? ['quality'] : []);
  const body = joined(call, shapeFields(call), own);
  const images = sources.images.map((image) => ({ type: 'image_url', url: addressOf(image) }));
  const quality = takesQuality ? askedText(call, 'quality') : undefined;
  return imagesPerCall(call, MOST_PER_CALL).map((n) => ({
    path: images.length > 0 ? '/images/edits' : '/images/generations',
    body: {
      json: {
        model: call.model.name,
        prompt: call.request.prompt,
        ...((n > 1 || call.request.n === n) && { n }),
        ...present({
          response_format: call.request.response_format,
          user: call.request.user,
          quality,
        }),
        ...(images.length === 1 && { image: images[0] }),
        ...(images.length > 1 && { images }),
        ...body,
      },
    },
    framing: 'none',
  }));
}

function shapeFields(call: ImageCall): Record<string, unknown> {
  const advice = 'Ask for an aspect_ratio, and for a resolution of 1k or 2k.';
  const shape = askedShape(call, XAI_SHAPES, advice);
  return shape ? { aspect_ratio: shape.ratio, resolution: shape.resolution } : {};
}

function takesQualityOf(name: string): boolean {
  return /-image-2\b/.test(name);
}

function decode(replies: readonly UpstreamReply[], call: ImageCall): Decoded<'images'> {
  const bodies = replies.map((reply) => replyObject(reply) as Answer);
  const { resolution } = { ...shapeFields(call), ...ownParameters(call, ['quality']) };
  const quality = askedText(call, 'quality');
  return imagesMade(call, bodies.flatMap(openaiItems), {
    created: bodies[0]?.created,
    calls: replies.length,
    charged: charged(
      bodies.map(({ usage }) => usage?.cost_in_usd_ticks),
      TICKS_PER_USD,
    ),
    // Its tokens are told for nothing but itself: images are priced by the piece.
    kind: {
      size: typeof resolution === 'string' ? resolution : '1k',
      ...(quality !== undefined && { quality }),
    },
  });
}

/** https://docs.x.ai/docs/api-reference#image-generation */
const TICKS_PER_USD = 10_000_000_000n;

interface Answer {
  readonly created?: unknown;
  readonly usage?: { readonly cost_in_usd_ticks?: unknown } | null;
}
