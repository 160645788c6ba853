import { parsedObject } from '../../json/values.js';
import { imageEndpoints } from '../dialects/images/image-dialect.js';
import { chatDialect } from '../dialects/openai-chat/openai-chat-dialect.js';
import { openaiEmbeddings } from '../dialects/embeddings/openai-embeddings.js';
import { openrouterImages } from '../dialects/images/openrouter-images.js';
import { decodeError } from '../dialects/provider-error.js';
import { openaiCompatible } from '../openai-compatible.js';
import { type ProviderError, type UpstreamReply } from '../provider.js';
import { models } from './models.js';
import { embeddingModels } from './models-embeddings.js';
import { imageModels } from './models-images.js';
import { ofOneModel } from './other-models.js';

const chat = chatDialect({
  knowsOpenai: true,
  // https://openrouter.ai/docs/guides/best-practices/prompt-caching
  automaticCache: true,
  takesCacheMarks: true,
  // https://openrouter.ai/docs/use-cases/reasoning-tokens
  takesReasoning: true,
  thinkingHistory: 'returned',
  thinksIn: ['reasoning', 'reasoning_content', 'reasoning_details'],
});
const {
  images: [images],
  'image-edits': [imageEdits],
} = imageEndpoints(openrouterImages);

/** OpenRouter. https://openrouter.ai/docs/api-reference/overview */
export const openrouter = openaiCompatible({
  name: 'openrouter',
  baseUrl: 'https://openrouter.ai/api/v1',
  // https://openrouter.ai/docs/guides/overview/multimodal/pdfs
  readsDocuments: true,
  models: [...models, ...embeddingModels, ...imageModels],
  endpoints: {
    messages: [ofOneModel(chat)],
    // https://openrouter.ai/docs/api/reference/embeddings
    embeddings: [ofOneModel(openaiEmbeddings({ encodings: ['float', 'base64'] }))],
    images: [ofOneModel(images)],
    'image-edits': [ofOneModel(imageEdits)],
  },
  decodeError: decodeOpenrouterError,
});

/** What was flagged comes with its reasons. https://openrouter.ai/docs/api/reference/errors-and-debugging */
function decodeOpenrouterError(reply: UpstreamReply): ProviderError | undefined {
  const said = decodeError(reply);
  if (!said || reply.status !== 403) return said;
  const { error } = (parsedObject(reply.bytes.toString()) ?? {}) as Refusal;
  return { ...said, isRefusal: Array.isArray(error?.metadata?.reasons) };
}

interface Refusal {
  readonly error?: { readonly metadata?: { readonly reasons?: unknown } | null } | null;
}
