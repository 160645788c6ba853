import { type Model } from '../../contract/model.js';
import { type Fields, isObject, listOf, membersOf } from '../../json/values.js';
import { ENCRYPTED_REASONING } from './responses-reasoning.js';
import { commonEffort, isUnnamed, SAMPLING } from './unnamed-model.js';

/**
 * A relayed request as a model takes it that the caller did not name: one that reasons is not sampled, and
 * is asked for an effort that all know; one that does not is neither asked to reason nor shown what another
 * one has reasoned, which OpenAI refuses. The request itself for a model that was named.
 * https://github.com/openai/openai-agents-python/issues/569
 */
export function suited(body: Fields, model: Pick<Model, 'id' | 'capabilities'>): Fields {
  if (!isUnnamed(body.model, model)) return body;
  const { input, include, text, reasoning } = body;
  if (model.capabilities.supports_reasoning === true) {
    const effort = commonEffort(membersOf(reasoning).effort);
    const adapted = effort && { reasoning: { ...membersOf(reasoning), effort: effort.word } };
    return { ...body, ...known(SAMPLING, body), ...adapted };
  }
  const without = {
    reasoning: undefined,
    input: Array.isArray(input) ? input.filter((item) => !isReasoning(item)) : input,
    include: listOf(include).filter((wish) => wish !== ENCRYPTED_REASONING),
    text: isObject(text) ? { ...text, verbosity: undefined } : text,
  };
  return { ...body, ...known(without, body) };
}

/** Of some fields those that the body has. */
function known(fields: Fields, body: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => Object.hasOwn(body, name)));
}

function isReasoning(item: unknown): boolean {
  return isObject(item) && item.type === 'reasoning';
}
