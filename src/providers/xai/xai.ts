import { imageEndpoints } from '../dialects/image-dialect.js';
import { chatDialect } from '../dialects/openai-chat-dialect.js';
import { decodeError } from '../dialects/provider-error.js';
import { xaiImages } from '../dialects/xai-images.js';
import { openaiCompatible } from '../openai-compatible.js';
import { type ProviderError, type UpstreamReply } from '../provider.js';
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
        unstoppable: 'reasoning',
        effortless: /\/grok-(?:code-fast|4-fast|4-0709)/,
      }),
    ],
    ...imageEndpoints(xaiImages),
  },
  decodeError: decodeXaiError,
});

/**
 * Only the words tell what its rules refuse from a key without the right, and a key that it does not know
 * from a bad request. https://docs.x.ai/docs/key-information/debugging
 */
function decodeXaiError(reply: UpstreamReply): ProviderError | undefined {
  const said = decodeError(reply);
  return (
    said && {
      ...said,
      ...(/^Content violates usage guidelines/i.test(said.message) && { isRefusal: true }),
      ...(/^Incorrect API key provided/i.test(said.message) && { refusesKey: true }),
    }
  );
}
