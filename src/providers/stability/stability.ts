import { imageEndpoints } from '../dialects/images/image-dialect.js';
import { decodeStabilityError, stabilityImages } from '../dialects/images/stability-images.js';
import { type Provider } from '../provider.js';
import { models } from './models.js';

/** Stability AI. https://platform.stability.ai/docs/api-reference */
export const stability: Provider = {
  name: 'stability',
  baseUrl: 'https://api.stability.ai/v2beta/stable-image',
  auth: { type: 'bearer' },
  models,
  endpoints: imageEndpoints(stabilityImages),
  onDisconnect: 'cancel',
  decodeError: decodeStabilityError,
};
