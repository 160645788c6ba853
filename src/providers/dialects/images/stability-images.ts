import { GatewayError } from '../../../contract/gateway-error.js';
import { listOf, parsedObject, present } from '../../../json/values.js';
import {
  type Decoded,
  type ProviderError,
  type UpstreamCall,
  type UpstreamReply,
} from '../../provider.js';
import { formValues } from './image-form.js';
import { type ImageDialect } from './image-dialect.js';
import {
  askedPixels,
  askedText,
  type ImageCall,
  imagesPerCall,
  joined,
  notTaken,
  ownParameters,
} from './image-request.js';
import { gaveUp, imagesMade, moderated } from './image-result.js';
import { shapeOf, type Shapes } from './image-size.js';
import { checkCount, filesIn, refuseMask, type Sources } from './image-sources.js';
import { decodeError } from '../provider-error.js';
import { replyObject } from '../reply-object.js';
import { type Operation, stabilityOperation } from './stability-operations.js';
import { RATIOS } from './stability-ratios.js';

/**
 * Stability AI: a form to a path for each operation, one image a call. A mask marks in white what to
 * paint. https://platform.stability.ai/docs/api-reference
 */
export const stabilityImages: ImageDialect = { encode, decode };

function encode(call: ImageCall, sources: Sources): readonly UpstreamCall[] {
  const operation = stabilityOperation(call.model.name) ?? unknown(call);
  checkSources(call, sources, operation);
  const own = ownParameters(call, ['output_format']);
  const fields = {
    ...(operation.model !== undefined && { model: operation.model }),
    ...(!operation.silent && { prompt: call.request.prompt }),
    ...present({ output_format: askedText(call, 'output_format') }),
    ...(operation.model !== undefined && sources.images.length > 0 && { mode: 'image-to-image' }),
    ...joined(call, shapeFields(call, sources, operation), own),
  };
  const form = [...formValues(fields), ...filesIn(call, sources)];
  return imagesPerCall(call, 1).map(() => ({
    path: operation.path,
    body: { form },
    framing: 'none',
  }));
}

function unknown({ model }: ImageCall): never {
  const message = `Nobody knows by which operation of Stability's ${model.id} is served.`;
  throw new GatewayError(400, 'model_not_supported', message, { param: 'model' });
}

function checkSources(call: ImageCall, sources: Sources, { image, mask }: Operation): void {
  checkCount(call, sources, image === 'never' ? 0 : 1);
  if (image === 'must' && sources.images.length === 0) {
    throw notTaken(call, 'model', 'It changes images: use /v3/images/edits.');
  }
  if (!mask) refuseMask(call, sources);
}

function shapeFields(
  call: ImageCall,
  { images }: Sources,
  { side }: Operation,
): Record<string, unknown> {
  const pixels = askedPixels(call);
  if (!pixels) return {};
  const shapes: Shapes = { ratios: RATIOS, resolutions: { '': side ?? 0 } };
  const shape = side === undefined || images.length > 0 ? undefined : shapeOf(pixels, shapes);
  if (!shape) throw notTaken(call, 'size', 'Where it takes a shape, it takes an aspect_ratio.');
  return { aspect_ratio: shape.ratio };
}

function decode(replies: readonly UpstreamReply[], call: ImageCall): Decoded<'images'> {
  const answers = replies.map((reply) => replyObject(reply) as Answer);
  const images = answers.map(({ image, finish_reason: reason }) => {
    if (reason === 'CONTENT_FILTERED') {
      throw moderated('The image was filtered: the request did not fit Stability’s rules.');
    }
    if (typeof image !== 'string' || image === '') throw gaveUp(reason);
    return { base64: image };
  });
  const [seed] = answers.map((answer) => answer.seed);
  return imagesMade(call, images, { rest: present({ seed }) });
}

interface Answer {
  readonly image?: unknown;
  readonly finish_reason?: unknown;
  readonly seed?: unknown;
}

/** `{id, name, errors: ["…"]}`, or one of the usual shapes. */
export function decodeStabilityError(reply: UpstreamReply): ProviderError | undefined {
  const body = parsedObject(reply.bytes.toString()) as Refusal | undefined;
  const errors = listOf(body?.errors).filter((error) => typeof error === 'string');
  if (errors.length === 0) return decodeError(reply);
  const { name } = body ?? {};
  return {
    message: errors.join(' '),
    ...(typeof name === 'string' && { code: name }),
    // It comes with 403. https://platform.stability.ai/docs/api-reference#tag/Generate
    ...(name === 'content_moderation' && { isRefusal: true }),
  };
}

interface Refusal {
  readonly name?: unknown;
  readonly errors?: unknown;
}
