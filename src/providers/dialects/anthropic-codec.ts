import { type NeutralMessage } from '../../contract/neutral.js';
import { isObject } from '../../json/values.js';
import { type Codec, type ServerEvent, type UpstreamReply } from '../provider.js';
import { anthropicHeaders } from './anthropic-relay.js';
import { messagesBody } from './anthropic-request.js';
import { errorIn } from './provider-error.js';
import { anthropicUsage } from './anthropic-usage.js';
import { brokenAnswer } from './broken-answer.js';
import { isBroken } from './broken-event.js';

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

  decode([reply], { model }) {
    const message = parsed(reply);
    const content: readonly unknown[] | undefined = message?.content;
    if (!message || !Array.isArray(content) || !content.every(isObject)) {
      const said = errorIn(message)?.message;
      throw brokenAnswer(said ?? 'The provider did not answer with a message.');
    }
    return { result: { ...message, model: model.id }, usage: anthropicUsage(message.usage) };
  },

  decodeStream: intact,
};

function parsed(reply: UpstreamReply | undefined): NeutralMessage | null | undefined {
  try {
    return reply?.json() as NeutralMessage | null | undefined;
  } catch {
    throw brokenAnswer('The provider did not answer in JSON.');
  }
}

/** The events are in the neutral shape already; what was cut of one would be missing. */
async function* intact(events: AsyncIterable<ServerEvent>): AsyncGenerator<ServerEvent> {
  for await (const event of events) {
    if (isBroken(event)) throw brokenAnswer('The provider sent an event that is damaged.');
    yield event;
  }
}
