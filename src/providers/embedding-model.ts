import { type ModelSpec } from '../contract/model.js';

/** What tells embedding models apart. */
interface EmbeddingFacts {
  /** Tokens of one input. */
  readonly context: number;
  /** Length of the whole vector. */
  readonly dimensions: number;
  /** Shorter vectors can be asked for. */
  readonly shortens?: boolean;
  /** Inputs of one call. */
  readonly items: number;
  /** The day of its release, `YYYY-MM-DD`, where the provider says it. */
  readonly released?: string;
}

/** The row of a model that turns text into vectors. */
export function embeddingModel(
  name: string,
  { context, dimensions, shortens = false, items, released }: EmbeddingFacts,
): ModelSpec {
  return {
    name,
    endpoints: ['embeddings'],
    created: released === undefined ? 0 : Date.parse(`${released}T00:00:00Z`) / 1_000,
    contextLength: context,
    capabilities: {
      input_modalities: ['text'],
      output_modalities: ['embedding'],
      supports_dimensions: shortens,
      dimensions,
      max_input_items: items,
    },
  };
}
