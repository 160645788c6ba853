import { geminiDialect } from '../dialects/gemini-dialect.js';
import { decodeGeminiError } from '../dialects/gemini-errors.js';
import { type Provider } from '../provider.js';
import { models } from './models.js';

/** The Gemini API. https://ai.google.dev/api */
export const google: Provider = {
  name: 'google',
  baseUrl: 'https://generativelanguage.googleapis.com',
  auth: { type: 'header', name: 'x-goog-api-key' },
  models,
  endpoints: geminiDialect,
  onDisconnect: 'cancel',
  decodeError: decodeGeminiError,
};
