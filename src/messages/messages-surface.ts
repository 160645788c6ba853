import { type NeutralBlock, type NeutralRequest } from '../contract/neutral.js';
import { withoutTurnSettings } from '../contract/turn-settings.js';
import { type Surface } from '../dispatch/surface.js';

/**
 * Anthropic's Messages API is the neutral shape itself, so nothing has to be translated. What Claude
 * Code tells Anthropic of itself in its first system block stays here: to others it is text, and with
 * some versions a text that changes with each call, so that no prompt is found in their caches. What single
 * turns set, which others do not know, is the request's.
 */
export const messagesSurface: Surface = {
  format: 'anthropic',
  read: (body) => {
    const request = withoutLeastThinking(withoutTurnSettings(body as unknown as NeutralRequest));
    if (!Array.isArray(request.system)) return request;
    const system = (request.system as readonly NeutralBlock[]).filter(
      ({ text }) => typeof text !== 'string' || !text.startsWith(ATTRIBUTION),
    );
    return { ...request, system };
  },
  render: ({ usage, ...message }, { inputTokens, outputTokens }, { model }) => ({
    ...message,
    model: model.id,
    // A provider may have told none.
    usage: usage ?? {
      input_tokens: inputTokens,
      output_tokens: outputTokens,
    },
  }),
};

/**
 * The least that a newer Claude thinks has a name of its own; elsewhere that is not to think.
 * https://platform.claude.com/docs/en/models/sonnet-5-5/whats-new-sonnet-5-5
 */
function withoutLeastThinking(request: NeutralRequest): NeutralRequest {
  if (request.thinking?.type !== 'between_tools') return request;
  return { ...request, thinking: { type: 'disabled' } };
}

/** https://code.claude.com/docs/en/llm-gateway-protocol */
const ATTRIBUTION = 'x-anthropic-billing-header:';
