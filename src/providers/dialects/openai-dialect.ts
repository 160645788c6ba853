import { type Provider } from '../provider.js';
import { openaiChatCodec } from './openai-chat-codec.js';
import { openaiChatRelay } from './openai-chat-relay.js';
import { openaiEmbeddingsCodec, openaiEmbeddingsRelay } from './openai-embeddings.js';
import { openaiImageEditsRelay, openaiImagesRelay } from './openai-images.js';

/** Everything that a provider in OpenAI's format serves. */
export const openaiDialect = {
  messages: [{ format: 'openai', relay: openaiChatRelay, codec: openaiChatCodec }],
  embeddings: [{ format: 'openai', relay: openaiEmbeddingsRelay, codec: openaiEmbeddingsCodec }],
  images: [{ format: 'openai', relay: openaiImagesRelay }],
  'image-edits': [{ format: 'openai', relay: openaiImageEditsRelay }],
} as const satisfies Provider['endpoints'];
