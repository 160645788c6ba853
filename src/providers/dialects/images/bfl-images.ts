import { type SourceImage } from '../../../contract/images.js';
import { present } from '../../../json/values.js';
import { type UpstreamCall } from '../../provider.js';
import { type Base64File } from '../../upstream-body.js';
import { bflAnswer, bflCharged, bflImages, isPending } from './bfl-result.js';
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
import { megapixels, type Pixels, shapeOf, sizeText } from './image-size.js';
import {
  base64Of,
  checkCount,
  pixelsIn,
  refuseMask,
  sourceParam,
  type Sources,
  sourcesOf,
} from './image-sources.js';
import { modelPath } from '../model-path.js';

/**
 * Black Forest Labs: a path for each model, answered by the address to ask at. A mask is for the model
 * that fills, and marks in white what to paint. https://docs.bfl.ai/api-reference
 */
export const blackForestImages: ImageDialect = {
  encode,
  // The task lives in one of its regions, which is where it says to ask.
  next(reply, _call, asked) {
    const answer = bflAnswer(reply);
    const { polling_url: address } = answer;
    if (typeof address === 'string' && address !== '') {
      return { method: 'GET', path: address, from: 'reply', framing: 'none' };
    }
    return isPending(answer) ? asked : undefined;
  },
  decode: (replies, call) => {
    const pixels = askedPixels(call);
    const kind = kindOf(call);
    return bflImages(replies, call, { size: exactSize(call, pixels), ...(kind && { kind }) });
  },
  begun: (reply, call) => {
    const [image, charged] = [kindOf(call), bflCharged(reply)];
    return { ...(image && { image }), ...(charged !== undefined && { charged }) };
  },
};

function encode(call: ImageCall, sources: Sources): readonly UpstreamCall[] {
  const own = ownParameters(call, ['output_format']);
  const fields = { ...sizeFields(call), ...sourceFields(call, sources) };
  const body = {
    prompt: call.request.prompt,
    ...present({ output_format: askedText(call, 'output_format') }),
    ...joined(call, fields, own),
  };
  return imagesPerCall(call, 1).map(() => ({
    path: `/${modelPath(call.model.name)}`,
    body: { json: body },
    framing: 'none',
    beginsTask: true,
  }));
}

function sizeFields(call: ImageCall): Record<string, unknown> {
  const pixels = askedPixels(call);
  if (!pixels) return {};
  const { name } = call.model;
  if (fills(name)) throw notTaken(call, 'size', 'A filled image keeps its size.');
  const side = sideOf(name);
  if (side === undefined) return { ...pixels };
  const ratio = ratioOf(pixels);
  const shape = shapeOf(pixels, { ratios: [ratio], resolutions: { '': side } });
  if (!shape) throw notTaken(call, 'size', `It makes about ${side}x${side} pixels.`);
  return { aspect_ratio: ratio };
}

/** The side of the square that a model makes which is told a ratio; undefined for all others. */
function sideOf(name: string): number | undefined {
  if (name.includes('kontext')) return 1024;
  return name.includes('ultra') ? 2048 : undefined;
}

function fills(name: string): boolean {
  return name.includes('fill');
}

function sourceFields(call: ImageCall, sources: Sources): Record<string, unknown> {
  const { name } = call.model;
  const base64 = (image: SourceImage, param: string): string | Base64File =>
    'url' in image ? image.url : base64Of(call, image, param);
  if (fills(name)) {
    checkCount(call, sources, 1);
    const [image] = sources.images;
    return present({
      image: image && base64(image, sourceParam(0)),
      mask: sources.mask && base64(sources.mask, 'mask'),
    });
  }
  refuseMask(call, sources);
  checkCount(call, sources, mostSources(name));
  return Object.fromEntries(
    sources.images.map((image, index) => [
      index === 0 ? 'input_image' : `input_image_${index + 1}`,
      base64(image, sourceParam(index)),
    ]),
  );
}

/** https://docs.bfl.ai/flux_2/flux2_image_editing, …/kontext/kontext_image_editing */
function mostSources(name: string): number {
  if (name.includes('klein') || name.includes('kontext')) return 4;
  return name.startsWith('flux-2') ? 8 : 0;
}

/** `16:9` for 1920x1080. */
function ratioOf({ width, height }: Pixels): string {
  let [one, other] = [width, height];
  while (other > 0) [one, other] = [other, one % other];
  return `${width / one}:${height / one}`;
}

/** What is told as width and height is what comes. */
function exactSize({ model }: ImageCall, pixels: Pixels | undefined): string | undefined {
  return sideOf(model.name) === undefined ? sizeText(pixels) : undefined;
}

/**
 * Since FLUX.2 the price goes by megapixels. Without a size an image from text has one; an edited one
 * is as large as its first source, and where that is not known it costs the most that it may.
 */
function kindOf(call: ImageCall): { size?: string } | undefined {
  if (!call.model.name.startsWith('flux-2')) return undefined;
  const { width, height } = call.request;
  const own =
    typeof width === 'number' && typeof height === 'number' ? { width, height } : undefined;
  const sources = sourcesOf(call);
  const usual = sources.length > 0 ? pixelsIn(sources[0]) : { width: 1024, height: 1024 };
  const known = askedPixels(call) ?? own ?? usual;
  return known ? { size: megapixels(known) } : {};
}
