import { blackForestImages } from '../dialects/bfl-images.js';
import { imageEndpoints } from '../dialects/image-dialect.js';
import { decodeError } from '../dialects/provider-error.js';
import { type Provider } from '../provider.js';
import { models } from './models.js';

/** Its regions, one of which holds the result. https://docs.bfl.ai/api_integration/integration_guidelines */
const REGIONS = ['eu', 'us'].flatMap((place) => [
  `api.${place}.bfl.ai`,
  ...Array.from({ length: 9 }, (_, index) => `api.${place}${index + 1}.bfl.ai`),
]);

/** Black Forest Labs. https://docs.bfl.ai */
export const bfl: Provider = {
  name: 'bfl',
  baseUrl: 'https://api.bfl.ai/v1',
  auth: { type: 'header', name: 'x-key' },
  models,
  endpoints: imageEndpoints(blackForestImages),
  replyHosts: ['api.bfl.ai', ...REGIONS],
  onDisconnect: 'cancel',
  decodeError,
};
