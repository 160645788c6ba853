import { type Codec, type Provider, type Relay } from '../../provider.js';
import { ollamaEmbeddings } from '../embeddings/ollama-embeddings.js';
import { ollamaRequestBody } from './ollama-request.js';
import { messageOfOllama } from './ollama-response.js';
import { eventsOfOllama } from './ollama-stream.js';
import { openaiChatRelay } from '../openai-chat/openai-chat-relay.js';

/**
 * A conversation carried by Ollama's own chat, which every version serves and which alone takes the
 * runner's options. https://docs.ollama.com/api/chat
 */
export const ollamaCodec: Codec<'messages'> = {
  encode: (call) => [
    {
      path: '/api/chat',
      body: { json: ollamaRequestBody(call) },
      framing: call.stream ? 'ndjson' : 'none',
    },
  ],
  decode: ([reply], call) => messageOfOllama(reply, call),
  decodeStream: eventsOfOllama,
};

/** Ollama's copy of OpenAI's chat completions, at the same root. https://docs.ollama.com/openai */
const relay: Relay = {
  ...openaiChatRelay,
  request: (call) => ({ ...openaiChatRelay.request(call), path: '/v1/chat/completions' }),
};

/** Everything that Ollama serves here: OpenAI's format is relayed, all others are translated. */
export const ollamaDialect = {
  messages: [
    { format: 'ollama', codec: ollamaCodec },
    { format: 'openai', relay },
  ],
  embeddings: [ollamaEmbeddings],
} as const satisfies Provider['endpoints'];
