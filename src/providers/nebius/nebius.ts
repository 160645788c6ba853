import { openaiDialect } from '../dialects/openai-dialect.js';
import { openaiCompatible } from '../openai-compatible.js';
import { models } from './models.js';

/** Nebius Token Factory. https://docs.tokenfactory.nebius.com/api-reference/introduction */
export const nebius = openaiCompatible({
  name: 'nebius',
  baseUrl: 'https://api.tokenfactory.nebius.com/v1',
  models,
  endpoints: { messages: openaiDialect.messages, embeddings: openaiDialect.embeddings },
});
