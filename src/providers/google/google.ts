import { geminiDialect } from '../dialects/gemini/gemini-dialect.js';
import { decodeGeminiError } from '../dialects/gemini/gemini-errors.js';
import { googleImages } from '../dialects/images/google-images.js';
import { type Provider } from '../provider.js';
import { models } from './models.js';
import { embeddingModels } from './models-embeddings.js';
import { imageModels } from './models-images.js';

/** The Gemini API. https://ai.google.dev/api */
export const google: Provider = {
  name: 'google',
  baseUrl: 'https://generativelanguage.googleapis.com',
  auth: { type: 'header', name: 'x-goog-api-key' },
  models: [...models, ...embeddingModels, ...imageModels],
  endpoints: { ...geminiDialect, ...googleImages },
  onDisconnect: 'cancel',
  decodeError: decodeGeminiError,
};
