import { type Model } from '../../../contract/model.js';
import { type Provider } from '../../provider.js';
import { bedrockAnthropicCodec } from '../anthropic/bedrock-anthropic-codec.js';
import { bedrockAnthropicRelay } from '../anthropic/bedrock-anthropic-relay.js';
import { bedrockCountTokens } from './bedrock-count-tokens.js';
import { bedrockEmbeddings } from '../embeddings/bedrock-embeddings.js';
import { namesClaude } from './bedrock-model.js';
import { converseCodec } from './converse-codec.js';

/** Claude by Anthropic's own body, which loses nothing; the models of all other makers by Converse. */
export const bedrockDialect = {
  messages: [
    {
      format: 'anthropic',
      serves: ({ name }: Model) => namesClaude(name),
      relay: bedrockAnthropicRelay,
      codec: bedrockAnthropicCodec,
    },
    { format: 'converse', serves: ({ name }: Model) => !namesClaude(name), codec: converseCodec },
  ],
  'count-tokens': [
    {
      format: 'anthropic',
      serves: ({ name }: Model) => namesClaude(name),
      codec: bedrockCountTokens,
    },
  ],
  embeddings: [bedrockEmbeddings],
} as const satisfies Provider['endpoints'];

/** Converse alone, for all models. */
export const converseDialect = {
  messages: [{ format: 'converse', codec: converseCodec }],
} as const satisfies Provider['endpoints'];
