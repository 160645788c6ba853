import { imageEndpoints } from '../dialects/image-dialect.js';
import { chatDialect } from '../dialects/openai-chat-dialect.js';
import { xaiImages } from '../dialects/xai-images.js';
import { openaiCompatible } from '../openai-compatible.js';
import { models } from './models.js';
import { imageModels } from './models-images.js';

/** xAI. https://docs.x.ai/docs/api-reference */
export const xai = openaiCompatible({
  name: 'xai',
  baseUrl: 'https://api.x.ai/v1',
  models: [...models, ...imageModels],
  endpoints: {
    messages: [
      chatDialect({
        thinkingHistory: 'returned',
        thinksIn: ['reasoning_content'],
        // https://docs.x.ai/docs/guides/reasoning
        refusedByReasoning: ['presence_penalty', 'frequency_penalty'],
        reasoningRefusesStop: true,
        effortless: /\/grok-(?:code-fast|4-fast|4-0709)/,
      }),
    ],
    ...imageEndpoints(xaiImages),
  },
});
