import { type Model } from '../../../contract/model.js';
import { ROUTER } from '../../../contract/router.js';
import { type Fields, listOf } from '../../../json/values.js';
import { type Dialect } from '../../provider.js';
import { chatCodec } from './openai-chat-codec.js';
import { type ChatQuirks } from './openai-chat-quirks.js';
import { tellsLogprobs } from './openai-chat-refusals.js';
import { chatRelay } from './openai-chat-relay.js';
import { isSubstitute } from '../substitute-model.js';

/** Conversations with a provider that speaks OpenAI's chat completions, but for its quirks. */
export function chatDialect(quirks: ChatQuirks = {}): Dialect<'messages'> {
  return {
    format: 'openai',
    relay: chatRelay(quirks),
    codec: chatCodec(quirks),
    relays: (model, body) => !isOldStyled(body, model, quirks) && !isSilent(body, model, quirks),
  };
}

/** Whether functions are offered as before there were tools, to another model that knows tools alone. */
function isOldStyled({ model: named, functions }: Fields, model: Model, { takes }: ChatQuirks) {
  const isKnown = takes?.has('functions') !== false;
  return !isKnown && isSubstitute(named, model) && listOf(functions).length > 0;
}

/**
 * Whether `@router` looks for one that tells log probabilities, and the model
 * does not: so no way leads to it.
 */
function isSilent({ model: named, logprobs }: Fields, model: Model, quirks: ChatQuirks): boolean {
  return named === ROUTER && logprobs === true && !tellsLogprobs(model, quirks);
}
