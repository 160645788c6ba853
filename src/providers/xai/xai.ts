import { type Fields } from '../../json/values.js';
import { atPath } from '../dialects/dialect-path.js';
import { imageEndpoints } from '../dialects/images/image-dialect.js';
import { chatDialect } from '../dialects/openai-chat/openai-chat-dialect.js';
import { untranslatable } from '../dialects/placed-blocks.js';
import { decodeError } from '../dialects/provider-error.js';
import { xaiImages } from '../dialects/images/xai-images.js';
import { openaiCompatible } from '../openai-compatible.js';
import { type ProviderError, type UpstreamReply } from '../provider.js';
import { models } from './models.js';
import { imageModels } from './models-images.js';

const chat = chatDialect({
  thinkingHistory: 'returned',
  thinksIn: ['reasoning_content'],
  // https://docs.x.ai/docs/guides/reasoning
  refusedByReasoning: ['presence_penalty', 'frequency_penalty'],
  unstoppable: 'reasoning',
  effortless: /\/grok-(?:code-fast|4-fast|4-0709)/,
});

/** xAI. https://docs.x.ai/docs/api-reference */
export const xai = openaiCompatible({
  name: 'xai',
  baseUrl: 'https://api.x.ai/v1',
  models: [...models, ...imageModels],
  endpoints: {
    messages: [
      atPath(chat, (path, { asked }) => {
        refuseDeferred(asked);
        return path;
      }),
    ],
    ...imageEndpoints(xaiImages),
  },
  decodeError: decodeXaiError,
});

/**
 * What is answered later nobody could fetch, nor be charged for.
 * https://docs.x.ai/docs/guides/deferred-chat-completions
 *
 * @throws GatewayError 400 for it.
 */
function refuseDeferred({ deferred }: Fields): void {
  if ((deferred ?? false) !== false)
    throw untranslatable('deferred', 'nothing is answered later here.');
}

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
