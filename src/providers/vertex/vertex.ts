import { decodeGeminiError } from '../dialects/gemini/gemini-errors.js';
import { vertexImages } from '../dialects/images/google-images.js';
import { decodeError } from '../dialects/provider-error.js';
import { vertexDialect } from '../dialects/gemini/vertex-dialect.js';
import { type Provider } from '../provider.js';
import { models } from './models.js';
import { embeddingModels } from './models-embeddings.js';
import { imageModels } from './models-images.js';

/** Google Cloud's models and its partners'. https://cloud.google.com/vertex-ai/generative-ai/docs */
export const vertex: Provider = {
  name: 'vertex',
  // The region is a part of it.
  baseUrl: undefined,
  auth: { type: 'google-oauth' },
  models: [...models, ...embeddingModels, ...imageModels],
  endpoints: { ...vertexDialect, ...vertexImages },
  onDisconnect: 'cancel',
  decodeError: (reply) => {
    const google = decodeGeminiError(reply);
    // Without Google's status it is the maker's own error.
    return google?.code === undefined ? decodeError(reply) : google;
  },
};
