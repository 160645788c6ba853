import { present } from '../../../json/values.js';
import { type UpstreamCall } from '../../provider.js';
import { bedrockImagesMade } from './bedrock-image-answer.js';
import { bedrockPath } from '../converse/bedrock-model.js';
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
import { shapeOf } from './image-size.js';
import { base64Of, checkCount, refuseMask, sourceParam, type Sources } from './image-sources.js';
import { RATIOS } from './stability-ratios.js';

/**
 * Stability's models on Bedrock: one image a call, told a shape in place of a size; the image services
 * change one image each. A mask marks in white what to paint.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/stable-image-services.html,
 * …/model-parameters-stability-diffusion.html
 */
export const bedrockStability: ImageDialect = {
  encode,
  decode: (replies, call) => bedrockImagesMade(replies, call),
};

function encode(call: ImageCall, sources: Sources): readonly UpstreamCall[] {
  const { name } = call.model;
  const isService = SERVICE.test(name);
  if (!MASKED.test(name)) refuseMask(call, sources);
  checkCount(call, sources, name.includes('stable-image-core') ? 0 : 1);
  if (isService && sources.images.length === 0) {
    throw notTaken(call, 'model', 'It changes images: use /v3/images/edits.');
  }
  const [image] = sources.images;
  const own = ownParameters(call, ['output_format']);
  const json = {
    ...(!SILENT.test(name) && { prompt: call.request.prompt }),
    ...present({ output_format: askedText(call, 'output_format') }),
    // The service's own default is an image from text.
    ...(image && !isService && { mode: 'image-to-image' }),
    ...(image && { image: base64Of(call, image, sourceParam(0)) }),
    ...(sources.mask && { mask: base64Of(call, sources.mask, 'mask') }),
    ...joined(call, shapeFields(call, sources, isService), own),
  };
  return imagesPerCall(call, 1).map(() => ({
    path: bedrockPath(name, 'invoke'),
    body: { json },
    framing: 'none',
  }));
}

const SERVICE = /inpaint|erase|outpaint|search-|remove-background|control-|style-|upscale/;
const MASKED = /inpaint|erase/;
const SILENT = /erase|remove-background|fast-upscale/;

function shapeFields(
  call: ImageCall,
  { images }: Sources,
  isService: boolean,
): Record<string, unknown> {
  const pixels = askedPixels(call);
  if (!pixels) return {};
  const isShaped = !isService && images.length === 0;
  const shape = isShaped && shapeOf(pixels, { ratios: RATIOS, resolutions: { '': 1024 } });
  if (!shape) throw notTaken(call, 'size', 'Where it takes a shape, it takes an aspect_ratio.');
  return { aspect_ratio: shape.ratio };
}
