import { type NeutralBlock, type NeutralMessage } from '../../../contract/neutral.js';
import { isObject } from '../../../json/values.js';
import { type CallContext, type Codec, type ServerEvent } from '../../provider.js';
import { blockMarked, eventMarked } from './anthropic-proofs.js';
import { anthropicHeaders } from './anthropic-relay.js';
import { messagesBody } from './anthropic-request.js';
import { errorIn } from '../provider-error.js';
import { anthropicUsage } from './anthropic-usage.js';
import { brokenAnswer } from '../broken-answer.js';
import { callersCalls, callersEvents } from './claude-spelling.js';
import { isBroken } from '../broken-event.js';
import { replyObject } from '../reply-object.js';

/**
 * Anthropic's Messages API for callers of another format: the neutral shape is its own, so only
 * what a model refuses is put right. https://docs.anthropic.com/en/api/messages
 */
export const anthropicCodec: Codec<'messages'> = {
  encode: (call) => [
    {
      path: '/v1/messages',
      headers: anthropicHeaders(call.headers),
      body: { json: messagesBody(call) },
      framing: call.stream ? 'sse' : 'none',
    },
  ],

  decode([reply], call) {
    const { model } = call;
    const message = replyObject(reply) as NeutralMessage;
    const content: readonly unknown[] | undefined = message.content;
    if (!Array.isArray(content) || !content.every(isObject)) {
      const said = errorIn(message)?.message;
      throw brokenAnswer(said ?? 'The provider did not answer with a message.');
    }
    const told = (content as NeutralBlock[]).map((block) => blockMarked(block, model));
    const result = { ...message, content: callersCalls(told, call), model: model.id };
    return { result, usage: anthropicUsage(message.usage) };
  },

  decodeStream: (events, call) => callersEvents(intact(events, call), call),
};

/** The events are in the neutral shape already; what was cut of one would be missing. */
async function* intact(
  events: AsyncIterable<ServerEvent>,
  { model }: CallContext<'messages'>,
): AsyncGenerator<ServerEvent> {
  for await (const event of events) {
    if (isBroken(event)) throw brokenAnswer('The provider sent an event that is damaged.');
    const data = eventMarked(event, model);
    yield data === undefined ? event : { ...event, data };
  }
}
