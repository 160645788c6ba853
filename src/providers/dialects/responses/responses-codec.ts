import { type Codec } from '../../provider.js';
import { responsesRequestBody } from './responses-request.js';
import { messageOfResponse } from './responses-response.js';
import { eventsOfResponse } from './responses-stream.js';

/**
 * A conversation carried by OpenAI's Responses, which serves models and tools that its chat
 * completions do not. https://platform.openai.com/docs/api-reference/responses
 */
export const responsesCodec: Codec<'messages'> = {
  encode: (call) => [
    {
      path: '/responses',
      body: { json: responsesRequestBody(call) },
      framing: call.stream ? 'sse' : 'none',
    },
  ],
  decode: ([reply], call) => messageOfResponse(reply, call),
  decodeStream: eventsOfResponse,
};
