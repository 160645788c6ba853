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
        embedding: encoding === 'base64' ? base64(vector) : numbers(vector),
      })),
      model: modelId,
      usage: { prompt_tokens: prompt, total_tokens: totalTokens ?? prompt },
    };
  };
}

function numbers(vector: Float32Array | readonly number[]): readonly number[] {
  return vector instanceof Float32Array ? Array.from(vector) : vector;
}

/** Little-endian IEEE 754 float32, as OpenAI's SDKs decode it. */
function base64(vector: ArrayLike<number>): string {
  const bytes = Buffer.allocUnsafe(vector.length * 4);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < vector.length; at++) view.setFloat32(at * 4, vector[at] ?? 0, true);
  return bytes.toString('base64');
}
