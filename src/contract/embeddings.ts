import { present } from '../json/values.js';

/** `POST /v3/embeddings`, after its checks. Fields that are not named here travel with it. */
export interface EmbeddingsRequest {
  readonly model: string;
  readonly input: string | readonly string[] | readonly number[] | readonly (readonly number[])[];
  readonly encoding_format?: 'float' | 'base64';
  readonly dimensions?: number;
  readonly user?: string;
  readonly [field: string]: unknown;
}

/**
 * The vectors of a request, with the tokens that the provider counted; undefined where it told
 * none.
 */
export interface EmbeddingsResult {
  /** In the order of the input. */
  readonly vectors: readonly (Float32Array | readonly number[])[];
  readonly promptTokens: number | undefined;
  readonly totalTokens: number | undefined;
}

/**
 * What a request says beyond OpenAI's fields and the gateway's: the provider's own parameters, which go on as
 * they are, to some providers with each input. Nulls say nothing, and `user` and `metadata` have no field
 * elsewhere.
 */
export function ownFields(request: object): Record<string, unknown> {
  const own = Object.entries(request).filter(([name]) => !KNOWN_FIELDS.has(name));
  return present(Object.fromEntries(own));
}

const KNOWN_FIELDS = new Set([
  'model',
  'input',
  'encoding_format',
  'dimensions',
  'user',
  'metadata',
  'routing',
]);
