import { type Dialect } from '../../provider.js';
import { responsesCodec } from './responses-codec.js';
import { responsesRelay } from './responses-relay.js';

/** Conversations in OpenAI's Responses format. */
export const responsesDialect = {
  format: 'responses',
  relay: responsesRelay,
  codec: responsesCodec,
} as const satisfies Dialect<'messages'>;
