import { type Dialect } from '../provider.js';
import { chatCodec } from './openai-chat-codec.js';
import { type ChatQuirks } from './openai-chat-quirks.js';
import { chatRelay } from './openai-chat-relay.js';

/** Conversations with a provider that speaks OpenAI's chat completions, but for its quirks. */
export function chatDialect(quirks: ChatQuirks = {}): Dialect<'messages'> {
  return { format: 'openai', relay: chatRelay(quirks), codec: chatCodec(quirks) };
}
