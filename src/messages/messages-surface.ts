import { type NeutralRequest } from '../contract/neutral.js';
import { type Surface } from '../dispatch/surface.js';

/** Anthropic's Messages API is the neutral shape itself, so nothing has to be translated. */
export const messagesSurface: Surface = {
  format: 'anthropic',
  read: (body) => body as unknown as NeutralRequest,
  render: (message, { inputTokens, outputTokens }, { model }) => ({
    ...message,
    model: model.id,
    usage: message.usage ?? { input_tokens: inputTokens, output_tokens: outputTokens },
  }),
};
