import { type Provider } from '../../provider.js';
import { cohereCodec } from './cohere-codec.js';
import { cohereEmbeddings } from '../embeddings/cohere-embeddings.js';

/** Everything that a provider in Cohere's format serves. */
export const cohereDialect = {
  messages: [{ format: 'cohere', codec: cohereCodec }],
  embeddings: [cohereEmbeddings],
} as const satisfies Provider['endpoints'];
