import { GatewayError } from '../../../contract/gateway-error.js';
import { present } from '../../../json/values.js';
import { type CallContext } from '../../provider.js';
import {
  megapixels,
  type Pixels,
  pixelsOf,
  type Shape,
  shapeOf,
  type Shapes,
} from './image-size.js';

/** A call that makes images, from text alone or from images. */
export type ImageCall = CallContext<'images'> | CallContext<'image-edits'>;

/**
 * The provider's own parameters, which travel on as they came. What OpenAI's format asks for and this
 * provider was not given by `mapped` is refused, so that no wish is passed over in silence.
 *
 * @throws GatewayError 400 naming the field.
 */
export function ownParameters(
  call: ImageCall,
  mapped: readonly string[] = [],
): Record<string, unknown> {
  const fields = Object.entries(present(call.request));
  for (const [name, value] of fields) {
    if (ELSEWHERE.has(name)) throw notTaken(call, name, 'What it makes is answered here.');
    if (!WISHES.has(name) || mapped.includes(name) || NO_WISH.has(value)) continue;
    if (name === 'partial_images' && value === 0) continue;
    throw notTaken(call, name);
  }
  const own = fields.filter(
    ([name]) => !HANDLED.has(name) && !WISHES.has(name) && !mapped.includes(name),
  );
  return withoutCount(call, Object.fromEntries(own));
}

/**
 * The provider's own parameters but for its word for `n`: as many images are made, and held for, as `n` says.
 *
 * @throws GatewayError 400 naming the word, where it does not agree with `n`.
 */
export function withoutCount(
  call: ImageCall,
  own: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const wanted = call.request.n ?? 1;
  const other = Object.keys(own).find((name) => COUNTS.has(name) && Number(own[name]) !== wanted);
  if (other !== undefined) throw notTaken(call, other, 'Say by n how many images are to be made.');
  return Object.fromEntries(Object.entries(own).filter(([name]) => !COUNTS.has(name)));
}

/** The 400 of a field that the model cannot honour; `advice` says what it does take. */
export function notTaken(
  { model }: Pick<ImageCall, 'model'>,
  param: string,
  advice = '',
): GatewayError {
  const message = `${model.id} cannot honour ${param}.${advice && ` ${advice}`}`;
  return new GatewayError(400, 'unsupported_parameter', message, { param });
}

/**
 * The pixels that are asked for; undefined when the choice is the model's.
 *
 * @throws GatewayError 400 for a size that names no pixels.
 */
export function askedPixels(call: ImageCall): Pixels | undefined {
  const { size } = call.request;
  if (typeof size !== 'string' || size === 'auto' || size === '') return undefined;
  const pixels = pixelsOf(size);
  if (!pixels) throw notTaken(call, 'size', 'A size is written <width>x<height>.');
  return pixels;
}

/**
 * The shape that is asked for by its pixels; undefined when the choice is the model's.
 *
 * @throws GatewayError 400 with the advice for pixels that none of its shapes has.
 */
export function askedShape(call: ImageCall, shapes: Shapes, advice: string): Shape | undefined {
  const pixels = askedPixels(call);
  const shape = pixels && shapeOf(pixels, shapes);
  if (pixels && !shape) throw notTaken(call, 'size', advice);
  return shape;
}

/**
 * What a price by the megapixel is listed under, by the pixels that came or are asked for. Models that
 * are left to choose make about one, or what their `resolution` says.
 */
export function megapixelsOf(call: ImageCall, made?: Pixels): string {
  const { width, height, resolution } = call.request;
  const isTold = typeof width === 'number' && typeof height === 'number';
  const pixels = made ?? askedPixels(call) ?? (isTold ? { width, height } : undefined);
  if (pixels) return megapixels(pixels);
  const side = SIDES.get(resolution) ?? 1024;
  return megapixels({ width: side, height: side });
}

const SIDES = new Map<unknown, number>([
  ['2K', 2048],
  ['4K', 4096],
]);

/** A text that is asked for; undefined when it is missing or leaves the choice to the model. */
export function askedText(call: ImageCall, field: string): string | undefined {
  const value = (call.request as Readonly<Record<string, unknown>>)[field];
  return typeof value === 'string' && !NO_WISH.has(value) ? value : undefined;
}

/**
 * How many images each call has to make, where one call makes `most` at the most.
 *
 * @throws GatewayError 400 when several calls with one seed would make one image several times.
 */
export function imagesPerCall(call: ImageCall, most: number): readonly number[] {
  const { n, seed } = call.request;
  const wanted = typeof n === 'number' ? n : 1;
  const calls = Math.ceil(wanted / most);
  if (calls > 1 && typeof seed === 'number') {
    throw notTaken(call, 'n', `With a seed it makes at most ${most}.`);
  }
  return Array.from({ length: calls }, (_, index) => Math.min(most, wanted - index * most));
}

/**
 * The provider's fields together with the caller's own parameters.
 *
 * @throws GatewayError 400 naming `param`, when both say the same thing differently.
 */
export function joined(
  call: ImageCall,
  fields: Readonly<Record<string, unknown>>,
  own: Readonly<Record<string, unknown>>,
  param = 'size',
): Record<string, unknown> {
  const clash = Object.keys(fields).find(
    (name) => name in own && JSON.stringify(own[name]) !== JSON.stringify(fields[name]),
  );
  if (clash !== undefined) throw notTaken(call, param, `It does not agree with ${clash}.`);
  return { ...fields, ...own };
}

/** Said in another way, or the gateway's own affair: it keeps metadata and sends no partial images. */
const HANDLED = new Set([
  ...['model', 'prompt', 'n', 'size', 'response_format', 'images', 'mask'],
  ...['user', 'metadata', 'stream', 'extra_headers'],
]);

/** https://platform.openai.com/docs/api-reference/images */
const WISHES = new Set([
  ...['quality', 'style', 'background', 'moderation', 'input_fidelity'],
  ...['output_format', 'output_compression', 'partial_images'],
]);

/** Words for `n`: fal's, Replicate's (Seedream makes as many as `max_images`), Imagen's and Nova Canvas'. */
const COUNTS = new Set([
  ...['num_images', 'num_outputs', 'number_of_images', 'max_images'],
  ...['sampleCount', 'numberOfImages'],
]);

/**
 * Where to send the images instead: nobody here would see them, or what they cost. `storageUri` is Imagen's, a
 * bucket that the operator may write to.
 */
const ELSEWHERE = new Set([
  ...['webhook', 'webhook_url', 'webhook_secret', 'webhook_events_filter'],
  'storageUri',
]);

/** `standard` is the quality that a model without a choice has. */
const NO_WISH = new Set<unknown>(['auto', 'standard', '']);
