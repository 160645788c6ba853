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

/**
 * Edits at all other servers in OpenAI's format, which know its form alone: its JSON is younger than they are.
 * https://github.com/vllm-project/vllm-omni/blob/main/docs/serving/image_edit_api.md,
 * https://learn.microsoft.com/azure/foundry/openai/how-to/dall-e#call-the-image-edit-api
 */
export const editsByForm = [
  { format: 'openai', codec: openaiImageEditsCodec },
] as const satisfies Provider['endpoints']['image-edits'];
