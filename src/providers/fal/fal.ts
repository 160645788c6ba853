import { decodeFalError, falImages } from '../dialects/images/fal-images.js';
import { imageEndpoints } from '../dialects/images/image-dialect.js';
import { type Provider } from '../provider.js';
import { models } from './models.js';

/** fal, by its queue; `https://fal.run` answers at once. https://docs.fal.ai/model-endpoints */
export const fal: Provider = {
  name: 'fal',
  baseUrl: 'https://queue.fal.run',
  auth: { type: 'header', name: 'authorization', prefix: 'Key ' },
  models,
  endpoints: imageEndpoints(falImages),
  onDisconnect: 'cancel',
  decodeError: decodeFalError,
};
