import { type Codec } from '../provider.js';
import { chatRequestBody } from './openai-chat-request.js';
import { messageOfCompletion } from './openai-chat-response.js';
import { eventsOfChunks } from './openai-chat-stream.js';

/**
 * A conversation carried by OpenAI's chat completions, for OpenAI itself and for servers that speak
 * its format. `anthropic-*` headers are not sent: a beta and its field in the body go together.
 * https://platform.openai.com/docs/api-reference/chat
 */
export const openaiChatCodec: Codec<'messages'> = {
  encode: (call) => [
    {
      path: '/chat/completions',
      body: { json: chatRequestBody(call) },
      framing: call.stream ? 'sse' : 'none',
    },
  ],
  decode: ([reply], call) => messageOfCompletion(reply, call),
  decodeStream: eventsOfChunks,
};
