import { ownFields } from '../../../contract/embeddings.js';
import { tokenCount } from '../../../contract/usage.js';
import { listOf } from '../../../json/values.js';
import { type Dialect } from '../../provider.js';
import { embeddingsCodec } from './embeddings-codec.js';
import { type Vector, vectorIn } from './embeddings-vectors.js';
import { replyObject } from '../reply-object.js';

/**
 * Embeddings of Cohere, 96 texts a call. What they are for has to be said; documents is what a caller
 * of OpenAI's format most often means. https://docs.cohere.com/reference/embed
 */
export const cohereEmbeddings: Dialect<'embeddings'> = {
  format: 'cohere',
  codec: embeddingsCodec({
    limits: { items: 96 },
    encode: (inputs, { request, model }, dimensions) => ({
      path: '/v2/embed',
      body: {
        json: {
          model: model.name,
          texts: inputs,
          input_type: 'search_document',
          embedding_types: ['float'],
          ...(dimensions !== undefined && { output_dimension: dimensions }),
          ...ownFields(request),
        },
      },
      framing: 'none',
    }),
    decode(reply) {
      const { embeddings, meta } = replyObject(reply) as CohereEmbedded;
      const promptTokens = tokenCount(meta?.billed_units?.input_tokens);
      return { vectors: cohereVectors(embeddings), promptTokens };
    },
  }),
};

interface CohereEmbedded {
  readonly embeddings?: unknown;
  readonly meta?: { readonly billed_units?: { readonly input_tokens?: unknown } | null } | null;
}

/** A list of vectors, or lists by type: floats where there are any, else the type asked for. */
export function cohereVectors(embeddings: unknown): (Vector | undefined)[] {
  if (Array.isArray(embeddings)) return embeddings.map(vectorIn);
  const byType = (embeddings ?? {}) as Readonly<Record<string, unknown>>;
  const chosen = byType.float ?? byType.base64 ?? Object.values(byType).find(Array.isArray);
  return listOf(chosen).map(vectorIn);
}
