import { openaiDialect } from './dialects/openai-dialect.js';
import { decodeError } from './dialects/provider-error.js';
import { type Provider } from './provider.js';

type Own = Pick<Provider, 'name' | 'baseUrl' | 'models'> & Partial<Provider>;

/** A provider that speaks OpenAI's chat format at an address of its own, but for what it says itself. */
export function openaiCompatible(own: Own): Provider {
  return {
    auth: { type: 'bearer' },
    endpoints: { messages: openaiDialect.messages },
    onDisconnect: 'cancel',
    decodeError,
    ...own,
  };
}
