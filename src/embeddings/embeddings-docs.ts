import { CALL_ERRORS } from '../http/api-errors.js';
import { CALL_HEADERS, CALL_REQUEST_HEADERS } from '../http/api-headers.js';
import { type RouteDocs } from '../http/api-route.js';
import { EmbeddingsResponse } from './dto/embeddings-response.dto.js';

/** `POST /v3/embeddings` */
export const CREATE_EMBEDDINGS: RouteDocs = {
  operationId: 'createEmbeddings',
  summary: 'Create embeddings',
  description: `Turns one text, or a batch of at most 10,000 unless the operator set another limit,
into vectors, in the format of
[OpenAI’s embeddings](https://platform.openai.com/docs/api-reference/embeddings/create). Vectors come
in the order of the inputs, as numbers or as base64, whatever the provider itself can do. A batch that
is larger than the provider takes is split. Tokens may be sent in place of text; for a provider that
reads text only they are decoded as \`cl100k_base\`. Fields that are not listed go on to the provider
as they came; \`fallbacks\` and \`@router\` are not supported here.`,
  family: 'openai',
  access: 'key',
  sends: CALL_REQUEST_HEADERS,
  requests: {
    text: { model: 'sandbox/embedding', input: 'The quick brown fox' },
    batch: { model: 'sandbox/embedding', input: ['The quick brown fox', 'The lazy dog'] },
    tokens: { model: 'sandbox/embedding', input: [791, 4062, 14198, 39935] },
    'batch-of-tokens': {
      model: 'sandbox/embedding',
      input: [
        [791, 4062],
        [14198, 39935],
      ],
    },
    'short-vectors-in-base64': {
      model: 'sandbox/embedding',
      input: 'The quick brown fox',
      dimensions: 4,
      encoding_format: 'base64',
      user: 'user-42',
    },
  },
  answers: {
    200: {
      description: 'The vectors.',
      type: EmbeddingsResponse,
      headers: CALL_HEADERS,
      examples: {
        numbers: answer([0.65987325, -0.47023517, -0.44663423, -0.37942591]),
        base64: answer('dO0oP6rC8L4+reS+HUTCvg=='),
      },
    },
  },
  errors: CALL_ERRORS,
};

function answer(embedding: readonly number[] | string): object {
  return {
    object: 'list',
    data: [{ object: 'embedding', index: 0, embedding }],
    model: 'sandbox/embedding',
    usage: { prompt_tokens: 5, total_tokens: 5 },
    cost: 0.000005,
    provider: 'sandbox',
  };
}
