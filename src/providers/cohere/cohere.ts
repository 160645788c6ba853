import { cohereDialect } from '../dialects/cohere/cohere-dialect.js';
import { decodeError } from '../dialects/provider-error.js';
import { type Provider } from '../provider.js';
import { models } from './models.js';
import { embeddingModels } from './models-embeddings.js';

/** https://docs.cohere.com/reference/about */
export const cohere: Provider = {
  name: 'cohere',
  baseUrl: 'https://api.cohere.com',
  auth: { type: 'bearer' },
  models: [...models, ...embeddingModels],
  endpoints: cohereDialect,
  onDisconnect: 'cancel',
  decodeError,
};
