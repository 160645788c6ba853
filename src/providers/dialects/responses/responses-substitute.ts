import { able } from '../../../contract/ability.js';
import { type Model } from '../../../contract/model.js';
import {
  type Fields,
  isObject,
  isSameList,
  isText,
  listOf,
  membersOf,
} from '../../../json/values.js';
import { unmarked } from '../cache-marks.js';
import { CallNames } from '../call-names.js';
import { untranslatable } from '../placed-blocks.js';
import { isMarked } from '../proof-marks.js';
import { callId } from './responses-input.js';
import { outputLimit } from './responses-request.js';
import { ENCRYPTED_REASONING } from './responses-reasoning.js';
import { suitedTier } from '../service-tier.js';
import { commonEffort, isSubstitute, SAMPLING } from '../substitute-model.js';
import { wholeTools } from '../whole-schema.js';

/**
 * A relayed request as a model takes it that the caller did not name: one that reasons is not sampled, and
 * is asked for an effort that all know; one that does not is neither asked to reason nor shown what another
 * one has reasoned, which OpenAI refuses. Its answer is bound to no less than it takes. Ids of calls are no
 * longer than it takes and no other call's, and nothing is marked for Anthropic's cache. The request itself
 * for a model that was named.
 * https://github.com/openai/openai-agents-python/issues/569
 *
 * @throws GatewayError 400 for a conversation of which a part is encrypted that cannot be left out.
 */
export function suited(
  body: Fields,
  model: Pick<Model, 'id' | 'provider' | 'capabilities'>,
): Fields {
  if (!isSubstitute(body.model, model)) return body;
  const { include, text, reasoning, max_output_tokens: limit } = body;
  const legible = isOfAnother(body.model, model.provider) ? readable(body.input) : body.input;
  const input = unmarked(withOwnIds(legible));
  const max_output_tokens = outputLimit(limit) ?? limit;
  const plain = known(
    {
      tools: wholeTools(unmarked(body.tools)),
      cache_control: undefined,
      max_output_tokens,
      service_tier: suitedTier(body, model),
    },
    body,
  );
  if (able(model, 'thinking')) {
    const effort = commonEffort(membersOf(reasoning).effort);
    const adapted = effort && { reasoning: { ...membersOf(reasoning), effort: effort.word } };
    return { ...body, input, ...plain, ...known(SAMPLING, body), ...adapted };
  }
  const without = {
    reasoning: undefined,
    input: Array.isArray(input) ? input.filter((item) => !isReasoning(item)) : input,
    include: listOf(include).filter((wish) => wish !== ENCRYPTED_REASONING),
    text: isObject(text) ? { ...text, verbosity: undefined } : text,
  };
  return { ...body, ...plain, ...known(without, body) };
}

/** Of some fields those that the body has. */
function known(fields: Fields, body: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => Object.hasOwn(body, name)));
}

/** Who encrypts what its models of Responses have reasoned, each for itself alone. */
const SEALERS = /^(openai|azure-openai)\//;

/** Whether what is encrypted in the conversation may be another provider's, whose answers are relayed. */
function isOfAnother(named: unknown, provider: string): boolean {
  return SEALERS.exec(String(named))?.[1] !== provider && SEALERS.test(String(named));
}

/** An input without the reasoning that its reader cannot decrypt. */
function readable(input: unknown): unknown {
  if (!Array.isArray(input)) return input;
  const items = input as readonly unknown[];
  items.forEach((item, at) => {
    if (!isObject(item) || item.type !== 'compaction') return;
    throw untranslatable(`input[${at}]`, 'is encrypted for its own provider.');
  });
  return items.filter((item) => !isReasoning(item) || isMarked(membersOf(item).encrypted_content));
}

/** An input with ids of calls that OpenAI takes, no two of them the same; the same input where it takes all. */
function withOwnIds(input: unknown): unknown {
  const items = listOf(input);
  const names = new CallNames(callId);
  const own = items.map((item) => (isObject(item) ? withOwnId(item, names) : item));
  return isSameList(own, items) ? input : own;
}

function withOwnId(item: Fields, names: CallNames): Fields {
  const { type, role } = item;
  const isOutput = typeof type === 'string' && type.endsWith('_output');
  names.speaker(!isOutput && (role ?? 'assistant') === 'assistant');
  // https://platform.openai.com/docs/api-reference/responses/create: the output of a local shell has no other.
  const field = type === 'local_shell_call_output' && !isText(item.call_id) ? 'id' : 'call_id';
  const id = item[field];
  if (typeof id !== 'string') return item;
  const name = isOutput ? names.ofResult(id) : names.ofCall(id);
  return name === id ? item : { ...item, [field]: name };
}

function isReasoning(item: unknown): boolean {
  return isObject(item) && item.type === 'reasoning';
}
