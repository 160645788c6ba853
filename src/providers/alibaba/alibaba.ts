import { imageEndpoints } from '../dialects/images/image-dialect.js';
import { chatDialect } from '../dialects/openai-chat/openai-chat-dialect.js';
import { MAX_TOKENS_ONLY } from '../dialects/openai-chat/openai-chat-quirks.js';
import { openaiEmbeddings } from '../dialects/embeddings/openai-embeddings.js';
import { alibabaImages } from '../dialects/images/alibaba-images.js';
import { openaiCompatible } from '../openai-compatible.js';
import { models } from './models.js';
import { embeddingModels } from './models-embeddings.js';
import { imageModels } from './models-images.js';

/**
 * Alibaba Cloud Model Studio.
 * https://www.alibabacloud.com/help/en/model-studio/compatibility-of-openai-with-dashscope
 */
export const alibaba = openaiCompatible({
  name: 'alibaba',
  baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
  models: [...models, ...embeddingModels, ...imageModels],
  endpoints: {
    messages: [
      chatDialect({
        fields: MAX_TOKENS_ONLY,
        thinksIn: ['reasoning_content'],
        // https://www.alibabacloud.com/help/en/model-studio/deep-thinking
        thinkingSwitch: 'enable_thinking',
        // https://www.alibabacloud.com/help/en/model-studio/context-cache
        takesCacheMarks: true,
      }),
    ],
    // https://www.alibabacloud.com/help/en/model-studio/text-embedding-synchronous-api
    embeddings: [openaiEmbeddings({ textOnly: true, limits: { items: 10 } })],
    ...imageEndpoints(alibabaImages),
  },
});
