import { isUnable } from '../../../contract/ability.js';
import { type NeutralRequest } from '../../../contract/neutral.js';
import { listOf, membersOf, present } from '../../../json/values.js';
import { type CallContext } from '../../provider.js';
import { askedSchema, refuseAnthropicsOwn } from '../asked-output.js';
import { citableDocuments } from './cohere-documents.js';
import { cohereMessages } from './cohere-messages.js';
import { cohereTooling } from './cohere-tools.js';
import { askedFields } from '../extra-fields.js';
import { untranslatable } from '../placed-blocks.js';
import {
  COHERES_TOP_P,
  isSubstitute,
  refuseMoreStops,
  suitedExtras,
  suitedNumber,
  suitedTemperature,
} from '../substitute-model.js';

/**
 * The body of a Cohere v2 chat call. Cohere has no field for a user's id and no levels of effort;
 * what is not known here (`seed`, `safety_mode`, `citation_options`, …) travels on as it is to a model that
 * the caller named.
 * https://docs.cohere.com/reference/chat
 *
 * @throws GatewayError 400 naming the field that cannot be translated.
 */
export function cohereRequestBody(call: CallContext<'messages'>): Record<string, unknown> {
  const { request, model, stream } = call;
  refuseAnthropicsOwn(request);
  const { documents: own, ...extra } = askedFields(request);
  const documents = [...listOf(own), ...citableDocuments(request)];
  const schema = askedSchema(request);
  const { model: named, stop_sequences: stop } = request;
  refuseMoreStops({ named, stop }, model, { field: 'stop_sequences', most: 5 });
  const isBound = schema !== undefined || membersOf(extra.response_format).type === 'json_object';
  const isOtherBound = isSubstitute(named, model) && isBound;
  // What may not be called need not be offered.
  const isIdle =
    request.tool_choice?.type === 'none' && (isOtherBound || isUnable(model, 'tool_choice'));
  const { tools, ...tooling } = isIdle ? {} : cohereTooling(request);
  // "not supported when used in combinations with the `documents` or `tools` parameters"
  if (isOtherBound && (tools || documents.length > 0)) {
    throw untranslatable(
      tools ? 'tools' : 'documents',
      'this model answers by no schema beside them.',
    );
  }
  return present({
    ...suitedExtras({ ...extra, ...penalties(extra, call) }, call, COHERE_FIELDS),
    model: model.name,
    messages: cohereMessages(request),
    documents: documents.length > 0 ? documents : undefined,
    tools,
    ...tooling,
    max_tokens: request.max_tokens,
    temperature: suitedTemperature(request, model, [0, 1]),
    p: suitedNumber(request.top_p, { named, model, range: COHERES_TOP_P }),
    k: request.top_k,
    stop_sequences: request.stop_sequences?.length ? request.stop_sequences : undefined,
    response_format: schema ? { type: 'json_object', json_schema: schema } : extra.response_format,
    thinking: model.capabilities.supports_reasoning ? thinking(request) : undefined,
    stream,
  });
}

const COHERE_FIELDS = new Set([
  'citation_options',
  'frequency_penalty',
  'logprobs',
  'presence_penalty',
  'response_format',
  'safety_mode',
  'seed',
  'strict_tools',
]);

/** Penalties on what was said, which go from 0 to 1 there and from -2 to 2 elsewhere. */
function penalties(
  { frequency_penalty, presence_penalty }: Readonly<Record<string, unknown>>,
  { request: { model: named }, model }: CallContext<'messages'>,
): Record<string, unknown> {
  const within = { named, model, range: [0, 1] } as const;
  return present({
    frequency_penalty: suitedNumber(frequency_penalty, within),
    presence_penalty: suitedNumber(presence_penalty, within),
  });
}

/** https://docs.cohere.com/docs/reasoning */
function thinking({ thinking: asked }: NeutralRequest): object | undefined {
  switch (asked?.type) {
    case 'enabled':
      return present({ type: 'enabled', token_budget: asked.budget_tokens });
    case 'adaptive':
      return { type: 'enabled' };
    case 'disabled':
      return { type: 'disabled' };
    default:
      return undefined;
  }
}
