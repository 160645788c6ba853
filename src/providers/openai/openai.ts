import { openaiDialect } from '../dialects/openai-dialect.js';
import { decodeError } from '../dialects/provider-error.js';
import { type Provider } from '../provider.js';
import { models } from './models.js';

/** https://platform.openai.com/docs/api-reference */
export const openai: Provider = {
  name: 'openai',
  baseUrl: 'https://api.openai.com/v1',
  auth: { type: 'bearer' },
  models,
  endpoints: openaiDialect,
  onDisconnect: 'cancel',
  decodeError,
};
