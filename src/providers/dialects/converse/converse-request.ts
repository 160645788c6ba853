import { isUnable } from '../../../contract/ability.js';
import { present, someMembers } from '../../../json/values.js';
import { type CallContext } from '../../provider.js';
import { askedSchema, refuseAnthropicsOwn } from '../asked-output.js';
import { vendorOf } from './bedrock-model.js';
import { converseMessages } from './converse-messages.js';
import { modelFields, ownFields } from './converse-model-fields.js';
import { toolConfig } from './converse-tools.js';
import { untranslatable } from '../placed-blocks.js';
import {
  COHERES_TOP_P,
  isSubstitute,
  suitedNumber,
  suitedTemperature,
} from '../substitute-model.js';

/**
 * The body of a Converse call; the model stands in the path. Fields that only Converse has
 * (`guardrailConfig`, `performanceConfig`, …) travel on as they are, other unknown ones to the model.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 *
 * @throws GatewayError 400 naming the field that cannot be translated.
 */
export function converseBody(call: CallContext<'messages'>): Record<string, unknown> {
  const { request } = call;
  refuseAnthropicsOwn(request);
  const tools = toolConfig(call);
  const { inferenceConfig, ...own } = ownFields(request);
  return present({
    ...own,
    ...converseMessages(call, tools !== undefined),
    inferenceConfig: someMembers({
      ...(inferenceConfig as object | undefined),
      ...present({
        maxTokens: request.max_tokens,
        temperature: suitedTemperature(request, call.model, [0, 1]),
        topP: topP(call),
        stopSequences: request.stop_sequences?.length ? request.stop_sequences : undefined,
      }),
    }),
    toolConfig: tools,
    outputConfig: outputConfig(call) ?? own.outputConfig,
    additionalModelRequestFields: someMembers(modelFields(call)),
  });
}

/** Cohere's models alone do not take all from 0 to 1. */
function topP({ request: { model: named, top_p }, model }: CallContext<'messages'>): unknown {
  if (vendorOf(model.name) !== 'cohere') return top_p;
  return suitedNumber(top_p, { named, model, range: COHERES_TOP_P });
}

/** "This model doesn't support the outputConfig field": Nova and Llama know no schemas. */
function outputConfig({ request, model }: CallContext<'messages'>): object | undefined {
  const schema = askedSchema(request);
  if (schema === undefined) return undefined;
  if (isSubstitute(request.model, model) && isUnable(model, 'structured_output')) {
    throw untranslatable('output_config.format', 'this model answers by no schema.');
  }
  const jsonSchema = { name: 'response', schema: JSON.stringify(schema) };
  return { textFormat: { type: 'json_schema', structure: { jsonSchema } } };
}
