import { type EmbeddingsResult } from '../contract/embeddings.js';
import { type Usage } from '../contract/usage.js';

type Encoding = 'float' | 'base64';

/** The answer's body but for `cost` and `provider`; vectors in the encoding that was asked for. */
export function renderEmbeddings(modelId: string, encoding: Encoding) {
  return ({ vectors, promptTokens, totalTokens }: EmbeddingsResult, counted?: Usage): object => {
    const prompt = promptTokens ?? counted?.inputTokens ?? 0;
    return {
      object: 'list',
      data: vectors.map((vector, index) => ({
        object: 'embedding',
        index,
        embedding: encoding === 'base64' ? base64(vector) : Array.from(vector),
      })),
      model: modelId,
      usage: { prompt_tokens: prompt, total_tokens: totalTokens ?? prompt },
    };
  };
}

/** Little-endian IEEE 754 float32, as OpenAI's SDKs decode it. */
function base64(vector: ArrayLike<number>): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (let index = 0; index < vector.length; index++) {
    bytes.writeFloatLE(vector[index] ?? 0, index * 4);
  }
  return bytes.toString('base64');
}
