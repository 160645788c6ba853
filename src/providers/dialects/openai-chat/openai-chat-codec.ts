import { type Codec } from '../../provider.js';
import { wholeErrorIn } from './openai-chat-error.js';
import { type ChatQuirks } from './openai-chat-quirks.js';
import { chatRequestBody } from './openai-chat-request.js';
import { messageOfCompletion } from './openai-chat-response.js';
import { eventsOfChunks } from './openai-chat-stream.js';

/**
 * A conversation carried by OpenAI's chat completions, for servers that speak its format.
 * `anthropic-*` headers are not sent: a beta and its field in the body go together.
 * https://platform.openai.com/docs/api-reference/chat
 */
export function chatCodec(quirks: ChatQuirks = {}): Codec<'messages'> {
  return {
    encode: (call) => [
      {
        path: '/chat/completions',
        body: { json: chatRequestBody(call, quirks) },
        framing: call.stream ? 'sse' : 'none',
      },
    ],
    failure: wholeErrorIn,
    decode: ([reply], call) => messageOfCompletion(reply, call, quirks),
    decodeStream: (events, call) => eventsOfChunks(events, call, quirks),
  };
}

/** The codec of a server of which nobody knows how it departs from OpenAI. */
export const openaiChatCodec = chatCodec();
