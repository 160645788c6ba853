import { openaiDialect } from '../dialects/openai-dialect.js';
import { openaiEmbeddings } from '../dialects/embeddings/openai-embeddings.js';
import { openaiCompatible } from '../openai-compatible.js';

/**
 * A vLLM server of one's own; its models are named in `MODELS_FILE`.
 * https://docs.vllm.ai/en/latest/serving/openai_compatible_server
 */
export const vllm = openaiCompatible({
  name: 'vllm',
  baseUrl: undefined,
  models: [],
  endpoints: {
    messages: openaiDialect.messages,
    embeddings: [openaiEmbeddings({ encodings: ['float', 'base64'] })],
  },
});
