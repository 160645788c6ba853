import { present } from '../../../json/values.js';
import { type Decoded, type UpstreamCall, type UpstreamReply } from '../../provider.js';
import { formValues } from './image-form.js';
import { type ImageDialect } from './image-dialect.js';
import {
  askedPixels,
  type ImageCall,
  imagesPerCall,
  megapixelsOf,
  ownParameters,
} from './image-request.js';
import { imagesMade } from './image-result.js';
import { sizeText } from './image-size.js';
import { filesIn, type Sources } from './image-sources.js';
import { openaiItems } from './openai-image-items.js';
import { replyObject } from '../reply-object.js';

/**
 * DeepInfra's images: OpenAI's paths, edits as a form. It always gives base64, and would pass over a
 * quality, a style or a background. https://docs.deepinfra.com/image-generation
 */
export const deepinfraImages: ImageDialect = { encode, decode };

const MOST_PER_CALL = 4;

function encode(call: ImageCall, sources: Sources): readonly UpstreamCall[] {
  const fields = {
    model: call.model.name,
    prompt: call.request.prompt,
    ...present({ size: sizeText(askedPixels(call)), user: call.request.user }),
    ...ownParameters(call),
  };
  const files = filesIn(call, sources);
  return imagesPerCall(call, MOST_PER_CALL).map((n) => {
    const counted = { ...fields, ...((n > 1 || call.request.n === n) && { n }) };
    if (files.length > 0) {
      return {
        path: '/images/edits',
        body: { form: [...formValues(counted), ...files] },
        framing: 'none',
      };
    }
    const json = { ...counted, response_format: 'b64_json' };
    return { path: '/images/generations', body: { json }, framing: 'none' };
  });
}

function decode(replies: readonly UpstreamReply[], call: ImageCall): Decoded<'images'> {
  const bodies = replies.map((reply) => replyObject(reply) as { created?: unknown });
  return imagesMade(call, bodies.flatMap(openaiItems), {
    created: bodies[0]?.created,
    kind: { size: megapixelsOf(call) },
  });
}
