import { type NeutralRequest, type NeutralUsage } from '../contract/neutral.js';
import { type Surface } from '../dispatch/surface.js';

/** Anthropic's Messages API is the neutral shape itself, so nothing has to be translated. */
export const messagesSurface: Surface = {
  format: 'anthropic',
  read: (body) => body as unknown as NeutralRequest,
  render: ({ usage, ...message }, { inputTokens, outputTokens }, { model }) => ({
    ...message,
    model: model.id,
    // A provider may have told none.
    usage: (usage as NeutralUsage | undefined) ?? {
      input_tokens: inputTokens,
      output_tokens: outputTokens,
    },
  }),
};
