import { isText, listOf, parsedObject } from '../../../json/values.js';
import { type Decoded, type ProviderError, type UpstreamReply } from '../../provider.js';
import { decodeBedrockError } from '../converse/bedrock-errors.js';
import { type ImageCall } from './image-request.js';
import { gaveUp, imagesMade, moderated } from './image-result.js';
import { replyObject } from '../reply-object.js';

/**
 * The images of invocations: Amazon's models give `images` and say in `error` which they held back;
 * Stability's say in `finish_reasons` why an image is missing.
 *
 * @throws GatewayError 400 when every image was filtered, 502 when there are none.
 */
export function bedrockImagesMade(
  replies: readonly UpstreamReply[],
  call: ImageCall,
): Decoded<'images'> {
  const answers = replies.map((reply) => replyObject(reply) as Answer);
  const images = answers.flatMap(({ images: made }) =>
    listOf(made).filter((image) => isText(image)),
  );
  if (images.length === 0) {
    const reasons = answers.flatMap((answer) => [answer.error, ...listOf(answer.finish_reasons)]);
    const reason = reasons.find((told) => isText(told));
    if (typeof reason !== 'string') throw gaveUp(undefined);
    throw FAILURE.test(reason) ? gaveUp(reason) : moderated(reason);
  }
  return imagesMade(
    call,
    images.map((base64) => ({ base64 })),
  );
}

/**
 * What is no matter of rules:
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-diffusion-stable-ultra-text-image-request-response.html
 */
const FAILURE = /inference error/i;

/** AWS's errors; what an image model says of its images is no error of the call. */
export function decodeBedrockImageError(reply: UpstreamReply): ProviderError | undefined {
  const body = parsedObject(reply.bytes.toString()) as Answer | undefined;
  const isAnswer = reply.status < 300 && (body?.images !== undefined || body?.error !== undefined);
  return isAnswer ? undefined : decodeBedrockError(reply);
}

interface Answer {
  readonly images?: unknown;
  readonly error?: unknown;
  readonly finish_reasons?: unknown;
}
