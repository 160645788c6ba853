import { blackForestImages } from '../dialects/images/bfl-images.js';
import { imageEndpoints } from '../dialects/images/image-dialect.js';
import { decodeError } from '../dialects/provider-error.js';
import { type Provider } from '../provider.js';
import { models } from './models.js';

/**
 * Black Forest Labs. A result lies in one of its regions, such as `api.eu1.bfl.ai`.
 * https://docs.bfl.ai/api_integration/integration_guidelines
 */
export const bfl: Provider = {
  name: 'bfl',
  baseUrl: 'https://api.bfl.ai/v1',
  auth: { type: 'header', name: 'x-key' },
  models,
  endpoints: imageEndpoints(blackForestImages),
  replyDomain: 'bfl.ai',
  onDisconnect: 'cancel',
  decodeError,
};
