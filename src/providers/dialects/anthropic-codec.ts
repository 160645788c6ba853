import { GatewayError } from '../../contract/gateway-error.js';
import { type NeutralMessage } from '../../contract/neutral.js';
import { isObject } from '../../json/values.js';
import { type Codec, type UpstreamReply } from '../provider.js';
import { anthropicHeaders } from './anthropic-relay.js';
import { messagesBody } from './anthropic-request.js';
import { errorIn } from './provider-error.js';
import { anthropicUsage } from './anthropic-usage.js';

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

  decodeStream: (events) => events,
};

function parsed(reply: UpstreamReply | undefined): NeutralMessage | null | undefined {
  try {
    return reply?.json() as NeutralMessage | null | undefined;
  } catch {
    throw brokenAnswer('The provider did not answer in JSON.');
  }
}

function brokenAnswer(message: string): GatewayError {
  return new GatewayError(502, 'upstream_error', message, { upstream: { status: 200 } });
}
