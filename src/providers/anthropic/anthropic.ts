import { anthropicDialect } from '../dialects/anthropic/anthropic-dialect.js';
import { decodeAnthropicError } from '../dialects/anthropic/anthropic-errors.js';
import { type Provider } from '../provider.js';
import { models } from './models.js';

/** https://docs.anthropic.com/en/api/overview */
export const anthropic: Provider = {
  name: 'anthropic',
  baseUrl: 'https://api.anthropic.com',
  auth: { type: 'header', name: 'x-api-key' },
  models,
  endpoints: anthropicDialect,
  onDisconnect: 'cancel',
  decodeError: decodeAnthropicError,
};
