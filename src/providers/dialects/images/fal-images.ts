import { listOf, parsedObject, present, someText } from '../../../json/values.js';
import { type Decoded, type UpstreamCall, type UpstreamReply } from '../../provider.js';
import { type ImageDialect } from './image-dialect.js';
import {
  askedPixels,
  askedText,
  type ImageCall,
  imagesPerCall,
  joined,
  megapixelsOf,
  notTaken,
  ownParameters,
} from './image-request.js';
import {
  dataIn,
  imagesMade,
  type MadeImage,
  mediaTypeAt,
  moderated,
  noStatus,
} from './image-result.js';
import { pixelsOf, shapeOf, type Shapes, sizeText } from './image-size.js';
import { addressOf, checkCount, refuseMask, type Sources } from './image-sources.js';
import { modelPath } from '../model-path.js';
import { decodeError } from '../provider-error.js';
import { replyObject } from '../reply-object.js';

/**
 * fal: a path for each model; the queue answers with the address to ask at, the synchronous host with
 * the images. Names of inputs follow the model. https://docs.fal.ai/model-endpoints/queue
 */
export const falImages: ImageDialect = { encode, decode, next, cancel };

/** What fal says went wrong; what a task in the queue came to is told where its result is. */
export function decodeFalError(reply: UpstreamReply): ReturnType<typeof decodeError> {
  return queued(reply) ? undefined : decodeError(reply);
}

const MOST_PER_CALL = 4;
/** These are told a shape; all others are told width and height. */
const SHAPED = /kontext|nano-banana|imagen|gemini|grok|ultra/;
const SHAPES: Shapes = {
  ratios: ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9', '9:21'],
  resolutions: { '1K': 1024 },
};
const RESOLUTIONS = { '1K': 1024, '2K': 2048, '4K': 4096 };
/** FLUX1.1 [pro] Ultra draws four megapixels. https://docs.bfl.ai/flux_models/flux_1_1_pro_ultra_raw */
const ULTRA = { '2K': 2048 };
/** These take a list of source images, also of one. */
const TAKES_LIST = /nano-banana|flux-2|seedream|gpt-image|gemini|multi|edit-plus|edit-2511|wan/;
const TAKES_MASK = /fill|inpaint|ideogram|eraser|gpt-image/;
const GPT_IMAGE = /gpt-image/;
const GPT_IMAGE_FIELDS = ['quality', 'background', 'input_fidelity'];

function encode(call: ImageCall, sources: Sources): readonly UpstreamCall[] {
  const { name, capabilities } = call.model;
  if (!TAKES_MASK.test(name) && capabilities.mask !== true) refuseMask(call, sources);
  const mapped = ['output_format', ...(GPT_IMAGE.test(name) ? GPT_IMAGE_FIELDS : [])];
  const own = ownParameters(call, mapped);
  const fields = { ...sizeFields(call), ...sourceFields(call, sources) };
  const chosen = Object.fromEntries(mapped.map((field) => [field, askedText(call, field)]));
  const body = {
    prompt: call.request.prompt,
    ...present(chosen),
    // Otherwise the image is only kept at an address.
    ...(call.request.response_format === 'b64_json' && { sync_mode: true }),
    ...joined(call, fields, spelled(own)),
  };
  return imagesPerCall(call, MOST_PER_CALL).map((count) => ({
    path: `/${modelPath(name)}`,
    body: { json: { ...body, ...(count > 1 && { num_images: count }) } },
    framing: 'none',
    beginsTask: true,
  }));
}

/**
 * Its levels of tolerance are words, "1" to "6", and a number is refused; in a form they cannot be told apart.
 * https://fal.ai/docs/model-api-reference/image-generation-api/nano-banana
 */
function spelled(own: Record<string, unknown>): Record<string, unknown> {
  const { safety_tolerance: level } = own;
  return typeof level === 'number' ? { ...own, safety_tolerance: String(level) } : own;
}

function sizeFields(call: ImageCall): Record<string, unknown> {
  const pixels = askedPixels(call);
  if (!pixels) return {};
  const { name } = call.model;
  // They know three sizes, by OpenAI's own words.
  if (/gpt-image-1/.test(name)) return { image_size: sizeText(pixels) };
  if (!SHAPED.test(name)) return { image_size: pixels };
  const hasResolutions = /nano-banana-pro|nano-banana-2|gemini-3/.test(name);
  const larger = /flux.*ultra/.test(name) ? ULTRA : SHAPES.resolutions;
  const shapes = { ...SHAPES, resolutions: hasResolutions ? RESOLUTIONS : larger };
  const shape = shapeOf(pixels, shapes);
  if (!shape)
    throw notTaken(call, 'size', `Ask for an aspect_ratio of ${SHAPES.ratios.join(', ')}.`);
  return {
    aspect_ratio: shape.ratio,
    ...(hasResolutions && { resolution: shape.resolution }),
  };
}

function sourceFields(call: ImageCall, sources: Sources): Record<string, unknown> {
  if (/kontext(?!.*multi)/.test(call.model.name)) checkCount(call, sources, 1);
  const { images, mask } = sources;
  const addresses = images.map(addressOf);
  const isList = addresses.length > 1 || TAKES_LIST.test(call.model.name);
  return present({
    ...(addresses.length > 0 && (isList ? { image_urls: addresses } : { image_url: addresses[0] })),
    mask_url: mask && addressOf(mask),
  });
}

/** https://docs.fal.ai/model-endpoints/queue#queue-status */
function next(
  reply: UpstreamReply,
  _call: ImageCall,
  asked?: UpstreamCall,
): UpstreamCall | undefined {
  const task = queued(reply);
  if (!task) {
    if (asked && STATUS.test(asked.path)) throw noStatus();
    return undefined;
  }
  if (ENDS.has(task.status)) return get(task.response_url);
  if (task.status_url !== undefined) return get(task.status_url);
  return asked ?? get(task.response_url && `${task.response_url}/status`);
}

/** https://docs.fal.ai/model-endpoints/queue#cancelling-a-request */
function cancel(reply: UpstreamReply): UpstreamCall | undefined {
  const { cancel_url: told, response_url: result } = queued(reply) ?? {};
  const path = told ?? (result && `${result}/cancel`);
  return path === undefined ? undefined : { method: 'PUT', path, from: 'reply', framing: 'none' };
}

function get(address: string | undefined): UpstreamCall | undefined {
  if (address === undefined) return undefined;
  return { method: 'GET', path: address, from: 'reply', framing: 'none' };
}

interface Task {
  readonly status: string;
  readonly status_url: string | undefined;
  readonly response_url: string | undefined;
  readonly cancel_url: string | undefined;
}

/** What the queue says of a task; undefined for the model's own answer. */
function queued(reply: UpstreamReply): Task | undefined {
  const body = parsedObject(reply.bytes.toString()) ?? {};
  const { status, status_url, response_url, cancel_url } = body;
  // A status that nobody knows is the queue's where its addresses stand beside it.
  const isKnown = status === 'IN_QUEUE' || status === 'IN_PROGRESS' || status === 'COMPLETED';
  if (typeof status !== 'string' || !(isKnown || someText(response_url))) return undefined;
  return {
    status,
    status_url: someText(status_url),
    response_url: someText(response_url),
    cancel_url: someText(cancel_url),
  };
}

/** The end of an address that tells a status, and no result. */
const STATUS = /\/status(?:\?|$)/;

/** All others go on, also those that nobody knows. What a task came to is told where its result is. */
const ENDS = new Set(['COMPLETED', 'FAILED', 'ERROR', 'CANCELED', 'CANCELLED']);

function decode(replies: readonly UpstreamReply[], call: ImageCall): Decoded<'images'> {
  const answers = replies.map((reply) => replyObject(reply) as Answer);
  const flags = answers.flatMap((answer) => listOf(answer.has_nsfw_concepts));
  // What is flagged comes as a black picture.
  if (flags.length > 0 && flags.every((flag) => flag === true)) {
    throw moderated('The images were flagged as unsafe and blacked out.');
  }
  const images = answers.flatMap((answer) =>
    [...listOf(answer.images), answer.image].flatMap(imageIn),
  );
  const [seed] = answers.map((answer) => answer.seed);
  return imagesMade(call, images, {
    kind: { size: megapixelsOf(call, pixelsOf(images[0]?.size ?? '')) },
    calls: replies.length,
    rest: present({ seed }),
  });
}

function imageIn(value: unknown): MadeImage[] {
  const image = value as WireImage | null | undefined;
  const url = someText(image?.url);
  if (url === undefined) return [];
  const { width, height } = image ?? {};
  const isSized = Number.isInteger(width) && Number.isInteger(height);
  const size = isSized ? `${String(width)}x${String(height)}` : undefined;
  const inline = dataIn(url);
  // The name of the file is truer than what stands beside it.
  const mediaType = mediaTypeAt(url) ?? someText(image?.content_type);
  return [inline ? { ...inline, size } : { url, size, mediaType }];
}

interface Answer {
  readonly images?: unknown;
  readonly image?: unknown;
  readonly has_nsfw_concepts?: unknown;
  readonly seed?: unknown;
}

interface WireImage {
  readonly url?: unknown;
  readonly width?: unknown;
  readonly height?: unknown;
  readonly content_type?: unknown;
}
