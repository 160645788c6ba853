import { anthropicDialect } from '../dialects/anthropic/anthropic-dialect.js';
import { openaiDialect } from '../dialects/openai-dialect.js';
import { decodeError } from '../dialects/provider-error.js';
import { type Provider } from '../provider.js';
import { models } from './models.js';

/** Answers from inside the gateway, in both formats, so that everything can be tried at once. */
export const sandbox: Provider = {
  name: 'sandbox',
  // Never dialled: a reserved name, in case anything ever tried.
  baseUrl: 'https://sandbox.invalid',
  auth: { type: 'none' },
  models,
  endpoints: {
    ...openaiDialect,
    ...anthropicDialect,
    messages: [...anthropicDialect.messages, ...openaiDialect.messages],
  },
  onDisconnect: 'cancel',
  readsDocuments: true,
  decodeError,
};
