import { type Provider } from '../provider.js';
import { openaiChatCodec } from './openai-chat/openai-chat-codec.js';
import { openaiChatRelay } from './openai-chat/openai-chat-relay.js';
import { OPENAI_EMBEDDINGS } from './embeddings/openai-embeddings.js';
import { openaiImageEditsCodec, openaiImagesCodec } from './images/openai-images-codec.js';
import { openaiImageEditsRelay, openaiImagesRelay } from './images/openai-images.js';

/** Everything that a provider in OpenAI's format serves. */
export const openaiDialect = {
  messages: [{ format: 'openai', relay: openaiChatRelay, codec: openaiChatCodec }],
  embeddings: [OPENAI_EMBEDDINGS],
  images: [{ format: 'openai', relay: openaiImagesRelay, codec: openaiImagesCodec }],
  'image-edits': [{ format: 'openai', relay: openaiImageEditsRelay, codec: openaiImageEditsCodec }],
} as const satisfies Provider['endpoints'];
