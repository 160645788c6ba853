import { type Format } from '../contract/endpoint.js';
import { anthropicDialect } from './dialects/anthropic/anthropic-dialect.js';
import { decodeAnthropicError } from './dialects/anthropic/anthropic-errors.js';
import { converseDialect } from './dialects/converse/bedrock-dialect.js';
import { decodeBedrockError } from './dialects/converse/bedrock-errors.js';
import { cohereDialect } from './dialects/cohere/cohere-dialect.js';
import { geminiDialect } from './dialects/gemini/gemini-dialect.js';
import { decodeGeminiError } from './dialects/gemini/gemini-errors.js';
import { editsByForm, openaiDialect } from './dialects/openai-dialect.js';
import { openaiEmbeddings } from './dialects/embeddings/openai-embeddings.js';
import { decodeError } from './dialects/provider-error.js';
import { type Auth } from './auth.js';
import { type Provider } from './provider.js';

/** The formats that a provider of the operator's own may speak, as `MODELS_FILE` names them. */
const SPOKEN: { readonly [F in Format]?: Spoken } = {
  openai: {
    auth: { type: 'bearer' },
    // Not every server knows `encoding_format`, but all answer in numbers without it.
    endpoints: {
      ...openaiDialect,
      embeddings: [openaiEmbeddings()],
      'image-edits': editsByForm,
    },
  },
  anthropic: {
    auth: keyIn('x-api-key'),
    endpoints: anthropicDialect,
    decodeError: decodeAnthropicError,
  },
  gemini: {
    auth: keyIn('x-goog-api-key'),
    endpoints: geminiDialect,
    decodeError: decodeGeminiError,
  },
  cohere: { auth: { type: 'bearer' }, endpoints: cohereDialect },
  converse: {
    // The gateway's own AWS key is for AWS, never for a server of somebody's own.
    auth: { type: 'bearer' },
    endpoints: converseDialect,
    decodeError: decodeBedrockError,
    // Behind such a server is AWS, most often, which works on.
    onDisconnect: 'drain',
  },
};

/**
 * A provider of the operator's own, in one of the known formats, at an address of theirs; undefined
 * for a format that only built-in providers speak.
 */
export function ownProvider(name: string, format: Format, baseUrl: string): Provider | undefined {
  const spoken = SPOKEN[format];
  return spoken && { name, baseUrl, models: [], onDisconnect: 'cancel', decodeError, ...spoken };
}

type Spoken = Pick<Provider, 'auth' | 'endpoints'> &
  Partial<Pick<Provider, 'decodeError' | 'onDisconnect'>>;

function keyIn(header: string): Auth {
  return { type: 'header', name: header };
}
