import { ownFields } from '../../../contract/embeddings.js';
import { tokenCount } from '../../../contract/usage.js';
import { listOf } from '../../../json/values.js';
import { type Dialect } from '../../provider.js';
import { embeddingsCodec } from './embeddings-codec.js';
import { vectorIn } from './embeddings-vectors.js';
import { replyObject } from '../reply-object.js';

/**
 * Ollama's own embeddings, which every version serves and which alone takes the runner's options.
 * https://docs.ollama.com/api/embed
 */
export const ollamaEmbeddings: Dialect<'embeddings'> = {
  format: 'ollama',
  codec: embeddingsCodec({
    // It has no limit of its own; a call is not kept waiting for thousands of them.
    limits: { items: 512 },
    encode: (inputs, { request, model }, dimensions) => ({
      path: '/api/embed',
      body: {
        json: {
          model: model.name,
          input: inputs,
          ...(dimensions !== undefined && { dimensions }),
          ...ownFields(request),
        },
      },
      framing: 'none',
    }),
    decode(reply) {
      const { embeddings, prompt_eval_count: told } = replyObject(reply) as {
        embeddings?: unknown;
        prompt_eval_count?: unknown;
      };
      return { vectors: listOf(embeddings).map(vectorIn), promptTokens: tokenCount(told) };
    },
  }),
};
