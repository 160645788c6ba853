import { ollamaDialect } from '../dialects/ollama/ollama-dialect.js';
import { decodeError } from '../dialects/provider-error.js';
import { type Provider } from '../provider.js';

/**
 * A server of one's own, on when `OLLAMA_BASE_URL` says where it is (`http://localhost:11434`), or
 * `https://ollama.com` with a key. Its models are what was pulled: `MODELS_FILE` names them.
 * https://docs.ollama.com/api
 */
export const ollama: Provider = {
  name: 'ollama',
  baseUrl: undefined,
  auth: { type: 'bearer' },
  models: [],
  endpoints: ollamaDialect,
  onDisconnect: 'cancel',
  decodeError,
};
