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
