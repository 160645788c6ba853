import { openaiDialect } from '../dialects/openai-dialect.js';
import { openaiCompatible } from '../openai-compatible.js';
import { models } from './models.js';

/** Alibaba Cloud Model Studio. https://www.alibabacloud.com/help/en/model-studio/compatibility-of-openai-with-dashscope */
export const alibaba = openaiCompatible({
  name: 'alibaba',
  baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
  models,
  endpoints: { messages: openaiDialect.messages, embeddings: openaiDialect.embeddings },
});
