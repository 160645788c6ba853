import { chatDialect } from '../dialects/openai-chat/openai-chat-dialect.js';
import { OPENAIS_OWN } from '../dialects/openai-chat/openai-chat-quirks.js';
import { openaiDialect } from '../dialects/openai-dialect.js';
import { decodeError } from '../dialects/provider-error.js';
import { responsesDialect } from '../dialects/responses/responses-dialect.js';
import { isForResponses } from '../dialects/responses/responses-only.js';
import { type Provider } from '../provider.js';
import { models } from './models.js';

/** Its models never show their thinking here. */
const chat = chatDialect(OPENAIS_OWN);

/**
 * Callers of Chat Completions and of Responses are passed on in their own format; a translation takes
 * Chat Completions where it can. https://platform.openai.com/docs/api-reference
 */
export const openai: Provider = {
  name: 'openai',
  baseUrl: 'https://api.openai.com/v1',
  auth: { type: 'bearer' },
  models,
  endpoints: {
    ...openaiDialect,
    messages: [
      { ...chat, serves: (model, body) => !isForResponses(model, body) },
      responsesDialect,
    ],
  },
  onDisconnect: 'cancel',
  decodeError,
};
