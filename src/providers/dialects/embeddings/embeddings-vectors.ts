import { type EmbeddingsRequest } from '../../../contract/embeddings.js';
import { GatewayError } from '../../../contract/gateway-error.js';
import { type Model } from '../../../contract/model.js';
import { brokenAnswer } from '../broken-answer.js';

/** One vector, as numbers or as the float32 that it came in. */
export type Vector = readonly number[] | Float32Array;

/** Numbers, or the base64 of little-endian float32; undefined for anything else. */
export function vectorIn(embedding: unknown): Vector | undefined {
  if (Array.isArray(embedding)) return embedding as number[];
  if (typeof embedding !== 'string') return undefined;
  const bytes = Buffer.from(embedding, 'base64');
  if (bytes.length % 4 !== 0) return undefined;
  if (!IS_LITTLE_ENDIAN) bytes.swap32();
  const isAligned = bytes.byteOffset % 4 === 0;
  const { buffer, byteOffset } = isAligned ? bytes : new Uint8Array(bytes);
  return new Float32Array(buffer, byteOffset, bytes.length / 4);
}

const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/**
 * The vectors if there is one for each of `count` inputs and all are numbers.
 *
 * @param hasOwn whether the request has fields of the provider's own, which may ask for another form.
 * @throws GatewayError 502
 */
export function checkedVectors(
  vectors: readonly (Vector | undefined)[],
  count: number,
  hasOwn = false,
): readonly Vector[] {
  const [first] = vectors;
  const whole =
    vectors.length === count && vectors.every((vector) => isWhole(vector, first?.length));
  if (!whole) throw brokenVectors(hasOwn);
  return vectors as readonly Vector[];
}

/** Whether this model's vectors are cut here for this request, because its provider cannot. */
export function isCutHere(
  { capabilities }: Model,
  { dimensions }: Pick<EmbeddingsRequest, 'dimensions'>,
): boolean {
  return dimensions != null && capabilities.dimensions_by_truncation === true;
}

/**
 * The beginning of a vector, of length 1 again.
 *
 * @throws GatewayError 400 when it is shorter.
 */
export function cut(vector: Vector, dimensions: number): Vector {
  if (dimensions <= vector.length) return toUnit(vector.slice(0, dimensions));
  const message = `Invalid 'dimensions': the model's vectors have ${vector.length}.`;
  throw new GatewayError(400, 'invalid_value', message, { param: 'dimensions' });
}

/** The vector with length 1, and itself when it has that already. */
export function toUnit(vector: Vector): Vector {
  let squares = 0;
  for (const component of vector) squares += component * component;
  const length = Math.sqrt(squares);
  if (length === 0 || Math.abs(length - 1) < ROUNDING) return vector;
  return Array.from(vector, (component) => component / length);
}

/** How far a vector's length may be from 1 by rounding alone. */
const ROUNDING = 1e-3;

/** The 502 of an answer without the vectors that were asked for. @param hasOwn as in `checkedVectors`. */
export function brokenVectors(hasOwn = false): GatewayError {
  return brokenAnswer('The provider sent an answer that is broken.', { hasSpoken: hasOwn });
}

function isWhole(vector: Vector | undefined, length: number | undefined): boolean {
  if (!vector || vector.length === 0 || vector.length !== length) return false;
  return vector instanceof Float32Array ? areFinite(vector) : areFloats(vector);
}

/** Apart from `areFloats`: a loop over one kind of list takes a fraction of the time. */
function areFinite(vector: Float32Array): boolean {
  for (let at = 0; at < vector.length; at++) if (!Number.isFinite(vector[at])) return false;
  return true;
}

function areFloats(vector: readonly unknown[]): boolean {
  for (let at = 0; at < vector.length; at++) {
    const component = vector[at];
    if (typeof component !== 'number' || !(Math.abs(component) <= LARGEST)) return false;
  }
  return true;
}

/** The largest that a float32 holds, which is what callers keep vectors in. */
const LARGEST = 3.402_823_466_385_288_6e38;
