import { imageEndpoints } from '../dialects/images/image-dialect.js';
import { decodeReplicateError, replicateImages } from '../dialects/images/replicate-images.js';
import { type Provider } from '../provider.js';
import { models } from './models.js';

/** Replicate. https://replicate.com/docs/reference/http */
export const replicate: Provider = {
  name: 'replicate',
  baseUrl: 'https://api.replicate.com/v1',
  auth: { type: 'bearer' },
  models,
  endpoints: imageEndpoints(replicateImages),
  onDisconnect: 'cancel',
  decodeError: decodeReplicateError,
};
