import { type Codec } from '../../provider.js';
import { bedrockPath } from './bedrock-model.js';
import { converseBody } from './converse-request.js';
import { messageOfConverse } from './converse-response.js';
import { eventsOfConverse } from './converse-stream.js';

/**
 * A conversation carried by Bedrock's Converse, which is one format for the models of all makers.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/conversation-inference.html
 */
export const converseCodec: Codec<'messages'> = {
  encode: (call) => [
    {
      path: bedrockPath(call.model.name, call.stream ? 'converse-stream' : 'converse'),
      body: { json: converseBody(call) },
      framing: call.stream ? 'aws-event-stream' : 'none',
    },
  ],
  decode: ([reply], call) => messageOfConverse(reply, call),
  decodeStream: eventsOfConverse,
};
