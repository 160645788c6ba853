import { type Provider } from '../../provider.js';
import { geminiCodec } from './gemini-codec.js';
import { geminiCountTokens, vertexGeminiCountTokens } from './gemini-count-tokens.js';
import { geminiEmbeddings } from '../embeddings/gemini-embeddings.js';
import { GEMINI_API, VERTEX } from './gemini-host.js';

/** Everything that a provider in Gemini's format serves, with the paths of the Gemini API. */
export const geminiDialect = {
  messages: [{ format: 'gemini', codec: geminiCodec(GEMINI_API) }],
  'count-tokens': [{ format: 'gemini', codec: geminiCountTokens }],
  embeddings: [geminiEmbeddings],
} as const satisfies Provider['endpoints'];

/** The same on Vertex AI, whose paths name the project and the region of `CallContext.place`. */
export const vertexGeminiDialect = {
  messages: [{ format: 'gemini', codec: geminiCodec(VERTEX) }],
  'count-tokens': [{ format: 'gemini', codec: vertexGeminiCountTokens }],
} as const satisfies Provider['endpoints'];
