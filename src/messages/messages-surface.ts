import { type NeutralBlock, type NeutralRequest } from '../contract/neutral.js';
import { type Surface } from '../dispatch/surface.js';

/**
 * Anthropic's Messages API is the neutral shape itself, so nothing has to be translated. What Claude
 * Code tells Anthropic of itself in its first system block stays here: to others it is text, and with
 * some versions a text that changes with each call, so that no prompt is found in their caches.
 */
export const messagesSurface: Surface = {
  format: 'anthropic',
  read: (body) => {
    const request = body as unknown as NeutralRequest;
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

/** https://code.claude.com/docs/en/llm-gateway-protocol */
const ATTRIBUTION = 'x-anthropic-billing-header:';
