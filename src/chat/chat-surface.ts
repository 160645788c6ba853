import { GatewayError } from '../contract/gateway-error.js';
import { type Surface } from '../dispatch/surface.js';

/** OpenAI's chat completions. */
export const chatSurface: Surface = {
  format: 'openai',
  read() {
    const message = 'This model cannot be reached by chat completions yet.';
    throw new GatewayError(400, 'model_not_supported', message, { param: 'model' });
  },
  render: (message) => message,
};
