import { GatewayError } from '../../contract/gateway-error.js';
import { type NeutralMessage } from '../../contract/neutral.js';
import { type Codec, type UpstreamReply } from '../provider.js';
import { anthropicHeaders } from './anthropic-relay.js';
import { errorIn } from './provider-error.js';
import { anthropicUsage } from './usage.js';

/**
 * Anthropic's Messages API for callers of another format: the neutral shape is its own, so little is
 * left to do. https://docs.anthropic.com/en/api/messages
 */
export const anthropicCodec: Codec<'messages'> = {
  encode({ request, model, headers, stream }) {
    const forwarded = Object.entries(request).filter(
      ([name, value]) => !NOT_FORWARDED.has(name) && value !== null && value !== undefined,
    );
    return [
      {
        path: '/v1/messages',
        headers: anthropicHeaders(headers),
        body: {
          json: {
            // Anthropic wants a bound; a caller of another format who gave none wants the model's.
            max_tokens: model.maxOutputTokens ?? DEFAULT_MAX_TOKENS,
            ...Object.fromEntries(forwarded),
            model: model.name,
            ...(stream && { stream }),
          },
        },
        framing: stream ? 'sse' : 'none',
      },
    ];
  },

  decode([reply], { model }) {
    const message = parsed(reply);
    if (!Array.isArray(message?.content)) {
      const said = errorIn(message)?.message;
      throw brokenAnswer(said ?? 'The provider did not answer with a message.');
    }
    return { result: { ...message, model: model.id }, usage: anthropicUsage(message.usage) };
  },

  decodeStream: (events) => events,
};

const DEFAULT_MAX_TOKENS = 1024;

/** Decided by the call, or meant for the gateway itself. */
const NOT_FORWARDED = new Set(['stream', 'fallbacks', 'router_candidates', 'extra_headers']);

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
