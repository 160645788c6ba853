import { type Model } from '../../../contract/model.js';
import { type InputLimits } from './embeddings-inputs.js';
import { isCutHere } from './embeddings-vectors.js';

/** Where a provider's embeddings depart from OpenAI's. */
export interface EmbeddingsQuirks {
  /** Fields that the provider calls otherwise, or refuses (undefined). */
  readonly fields?: Readonly<Record<string, string | undefined>>;
  /** Values of `encoding_format` that the provider knows; others, and its absence, go without. */
  readonly encodings?: readonly ('float' | 'base64')[];
  /** Inputs have to be text. */
  readonly textOnly?: boolean;
  /** Base64 holds bytes from -128 to 127 in place of floats. */
  readonly bytesInBase64?: boolean;
  readonly limits?: InputLimits;
}

/** OpenAI's, where a provider of its format tells none. */
export const OPENAI_LIMITS: InputLimits = { items: 2_048, tokens: 300_000 };

/**
 * What to change in the fields of a request for this provider: new values by name, undefined for a
 * field that it must not see.
 */
export function fieldChanges(
  request: Readonly<Record<string, unknown>>,
  model: Model,
  { fields = {}, encodings = [] }: EmbeddingsQuirks,
): Map<string, unknown> {
  const changes = new Map<string, unknown>([
    ['model', model.name],
    // Free-form metadata is kept with the request; the provider refuses the field.
    ['metadata', undefined],
  ]);
  const { encoding_format: encoding } = request;
  // What is no float has no base64 of floats.
  const isFloat = (request.output_dtype ?? 'float') === 'float';
  if (!isFloat || !encodings.some((known) => known === encoding)) {
    changes.set('encoding_format', undefined);
  }
  for (const [name, known] of Object.entries(fields)) {
    if (request[name] === undefined) continue;
    changes.set(name, undefined);
    // What the caller said in the provider's own words comes first.
    if (known !== undefined && request[known] == null) changes.set(known, request[name]);
  }
  if (isCutHere(model, request)) {
    changes.set('dimensions', undefined);
    const known = fields.dimensions;
    if (known !== undefined) changes.delete(known);
  }
  return changes;
}
