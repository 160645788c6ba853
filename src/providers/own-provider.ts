import { anthropicDialect } from './dialects/anthropic-dialect.js';
import { openaiDialect } from './dialects/openai-dialect.js';
import { decodeError } from './dialects/provider-error.js';
import { type Provider } from './provider.js';

/** A provider of the operator's own, in one of the known formats, at an address of theirs. */
export function ownProvider(
  name: string,
  format: 'anthropic' | 'openai',
  baseUrl: string,
): Provider {
  return {
    name,
    baseUrl,
    auth: format === 'anthropic' ? { type: 'header', name: 'x-api-key' } : { type: 'bearer' },
    models: [],
    endpoints: format === 'anthropic' ? anthropicDialect : openaiDialect,
    onDisconnect: 'cancel',
    decodeError,
  };
}
