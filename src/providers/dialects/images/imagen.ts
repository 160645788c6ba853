import { listOf, someText } from '../../../json/values.js';
import { type Decoded, type UpstreamCall, type UpstreamReply } from '../../provider.js';
import { type GeminiHost } from '../gemini/gemini-host.js';
import { googleImageOutput } from './google-image-output.js';
import { type ImageDialect } from './image-dialect.js';
import {
  askedPixels,
  askedShape,
  type ImageCall,
  imagesPerCall,
  joined,
  notTaken,
  ownParameters,
} from './image-request.js';
import { imagesMade, type MadeImage, moderated } from './image-result.js';
import { type Shapes } from './image-size.js';
import { base64Of, checkCount, sourceParam, type Sources } from './image-sources.js';
import { replyObject } from '../reply-object.js';

/**
 * Imagen by `predict`: up to four images a call, a shape in place of a size. Where it edits, a mask
 * marks in white what to change.
 * https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/imagen-api,
 * …/imagen-api-edit, https://ai.google.dev/gemini-api/docs/imagen
 */
export function imagen(
  host: Pick<GeminiHost, 'path'>,
  { edits }: { readonly edits: boolean },
): ImageDialect {
  return {
    encode(call, sources) {
      checkCount(call, sources, edits ? 1 : 0);
      return encode(call, sources, host.path(call.model.name, 'predict', call.place));
    },
    decode,
  };
}

const MOST_PER_CALL = 4;
/** https://cloud.google.com/vertex-ai/generative-ai/docs/image/generate-images */
export const IMAGEN_SHAPES: Shapes = {
  ratios: ['1:1', '3:4', '4:3', '9:16', '16:9'],
  resolutions: { '1K': 1024, '2K': 2048 },
  documented: {
    ...{ '896x1280': '3:4', '1280x896': '4:3' },
    ...{ '768x1408': '9:16', '1408x768': '16:9' },
  },
};

function encode(call: ImageCall, sources: Sources, path: string): readonly UpstreamCall[] {
  const own = ownParameters(call, ['output_format', 'output_compression']);
  const isEdit = sources.images.length > 0;
  const outputOptions = googleImageOutput(call);
  const references = referencesIn(call, sources);
  const fields = {
    ...(isEdit ? editFields(call, sources) : shapeFields(call)),
    ...(outputOptions && { outputOptions }),
  };
  const parameters = { includeRaiReason: true, ...joined(call, fields, own) };
  return imagesPerCall(call, MOST_PER_CALL).map((sampleCount) => ({
    path,
    body: {
      json: {
        instances: [
          { prompt: call.request.prompt, ...(isEdit && { referenceImages: references }) },
        ],
        parameters: { sampleCount, ...parameters },
      },
    },
    framing: 'none',
  }));
}

function shapeFields(call: ImageCall): Record<string, unknown> {
  const advice = `Ask for an aspectRatio of ${IMAGEN_SHAPES.ratios.join(', ')}.`;
  const shape = askedShape(call, IMAGEN_SHAPES, advice);
  if (!shape) return {};
  const isLarge = shape.resolution !== '1K';
  return { aspectRatio: shape.ratio, ...(isLarge && { sampleImageSize: shape.resolution }) };
}

/** An edited image has the size of its source. */
function editFields(call: ImageCall, { mask }: Sources): Record<string, unknown> {
  if (askedPixels(call)) throw notTaken(call, 'size', 'An edited image keeps its size.');
  return mask ? { editMode: 'EDIT_MODE_INPAINT_INSERTION' } : {};
}

function referencesIn(call: ImageCall, { images, mask }: Sources): readonly object[] {
  const raw = images.map((image, index) => ({
    referenceType: 'REFERENCE_TYPE_RAW',
    referenceId: index + 1,
    referenceImage: { bytesBase64Encoded: base64Of(call, image, sourceParam(index)) },
  }));
  if (!mask) return raw;
  const marked = {
    referenceType: 'REFERENCE_TYPE_MASK',
    referenceId: raw.length + 1,
    referenceImage: { bytesBase64Encoded: base64Of(call, mask, 'mask') },
    maskImageConfig: { maskMode: 'MASK_MODE_USER_PROVIDED' },
  };
  return [...raw, marked];
}

function decode(replies: readonly UpstreamReply[], call: ImageCall): Decoded<'images'> {
  const predictions = replies.flatMap(
    (reply) => listOf((replyObject(reply) as Answer).predictions) as (Prediction | null)[],
  );
  const images = predictions.flatMap((prediction) => imageIn(prediction ?? {}));
  if (images.length > 0) return imagesMade(call, images);
  const reason = predictions.find((prediction) => someText(prediction?.raiFilteredReason));
  // An answer without predictions is how it refuses a prompt without giving a reason.
  throw moderated(someText(reason?.raiFilteredReason) ?? 'Google’s filters left no image.');
}

function imageIn({ bytesBase64Encoded, gcsUri, mimeType, prompt }: Prediction): MadeImage[] {
  const base64 = someText(bytesBase64Encoded);
  const url = someText(gcsUri);
  if (base64 === undefined && url === undefined) return [];
  const revisedPrompt = someText(prompt);
  return [
    {
      ...(base64 === undefined ? { url: url ?? '' } : { base64 }),
      ...(revisedPrompt !== undefined && { revisedPrompt }),
      mediaType: someText(mimeType),
    },
  ];
}

interface Answer {
  readonly predictions?: unknown;
}

interface Prediction {
  readonly bytesBase64Encoded?: unknown;
  /** Where `storageUri` asked for it. */
  readonly gcsUri?: unknown;
  readonly mimeType?: unknown;
  readonly prompt?: unknown;
  readonly raiFilteredReason?: unknown;
}
