import { azureDialect } from '../dialects/azure-dialect.js';
import { decodeError } from '../dialects/provider-error.js';
import { type Provider } from '../provider.js';
import { models } from './models.js';

/** OpenAI's models in a resource of one's own. https://learn.microsoft.com/azure/ai-foundry/openai/ */
export const azureOpenai: Provider = {
  name: 'azure-openai',
  baseUrl: undefined,
  auth: { type: 'header', name: 'api-key' },
  models,
  endpoints: azureDialect,
  onDisconnect: 'cancel',
  decodeError,
};
