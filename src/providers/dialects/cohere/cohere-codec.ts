import { type Codec } from '../../provider.js';
import { cohereRequestBody } from './cohere-request.js';
import { messageOfCohere } from './cohere-response.js';
import { eventsOfCohere } from './cohere-stream.js';

/** A conversation carried by Cohere's own chat. https://docs.cohere.com/reference/chat */
export const cohereCodec: Codec<'messages'> = {
  encode: (call) => [
    {
      path: '/v2/chat',
      body: { json: cohereRequestBody(call) },
      framing: call.stream ? 'sse' : 'none',
    },
  ],
  decode: ([reply], call) => messageOfCohere(reply, call),
  decodeStream: eventsOfCohere,
};
