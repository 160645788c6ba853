import { ownFields } from '../../../contract/embeddings.js';
import { type Place } from '../../place.js';
import { type Dialect, type UpstreamReply } from '../../provider.js';
import { embeddingsCodec } from './embeddings-codec.js';
import { brokenVectors, vectorIn } from './embeddings-vectors.js';
import { modelPath } from '../model-path.js';

/**
 * Hugging Face's task `feature-extraction`, for models that give one vector a text. It does not say
 * how many tokens it read. https://huggingface.co/docs/inference-providers/tasks/feature-extraction
 */
export const huggingfaceEmbeddings: Dialect<'embeddings'> = {
  format: 'openai',
  codec: embeddingsCodec({
    limits: { items: 128 },
    encode: (inputs, { request, model, place }, dimensions) => ({
      path: `${root(place)}/hf-inference/models/${modelPath(model.name)}/pipeline/feature-extraction`,
      body: {
        json: { inputs, ...(dimensions !== undefined && { dimensions }), ...ownFields(request) },
      },
      framing: 'none',
    }),
    decode: (reply) => ({ vectors: vectorsIn(reply).map(vectorIn), promptTokens: undefined }),
  }),
};

/** The tasks are served beside the chat's `/v1`, not below it. */
function root({ path = '' }: Place): string {
  return path.endsWith('/v1') ? '/..' : '';
}

/** One vector may come without the list around it. */
function vectorsIn(reply: UpstreamReply): readonly unknown[] {
  let body: unknown;
  try {
    body = reply.json();
  } catch {
    throw brokenVectors();
  }
  if (!Array.isArray(body)) throw brokenVectors();
  return typeof body[0] === 'number' ? [body] : body;
}
