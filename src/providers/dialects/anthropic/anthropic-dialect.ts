import { type Provider } from '../../provider.js';
import { anthropicCodec } from './anthropic-codec.js';
import { anthropicCountTokensRelay } from './anthropic-count-tokens.js';
import { anthropicRelay } from './anthropic-relay.js';

/** Everything that a provider in Anthropic's format serves. */
export const anthropicDialect = {
  messages: [{ format: 'anthropic', relay: anthropicRelay, codec: anthropicCodec }],
  'count-tokens': [{ format: 'anthropic', relay: anthropicCountTokensRelay }],
} as const satisfies Provider['endpoints'];
