import { able } from '../../../contract/ability.js';
import { type NeutralRequest } from '../../../contract/neutral.js';
import { present } from '../../../json/values.js';
import { type CallContext } from '../../provider.js';
import { askedEffort } from '../asked-output.js';
import { bedrockBetas } from '../anthropic/cloud-betas.js';
import { vendorOf } from './bedrock-model.js';
import { askedFields } from '../extra-fields.js';
import { isSubstitute } from '../substitute-model.js';

/** What a request holds in Converse's own words, for the top level of its body. */
export function ownFields(request: NeutralRequest): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(askedFields(request)).filter(([name]) => CONVERSE_FIELDS.has(name)),
  );
}

/**
 * `additionalModelRequestFields`: what Converse has no word of its own for, in the words of the
 * model's maker. Fields that nobody here knows go to the model that the caller named, which refuses what
 * it does not know.
 */
export function modelFields(call: CallContext<'messages'>): Record<string, unknown> {
  const { request, model } = call;
  const { additionalModelRequestFields: own, ...extra } = askedFields(request);
  const unknown = Object.entries(extra).filter(([name]) => !CONVERSE_FIELDS.has(name));
  return {
    ...makersFields(vendorOf(model.name), call),
    // One that another maker's model has been asked with is not this one's.
    ...(!isSubstitute(request.model, model) && Object.fromEntries(unknown)),
    ...(own as object | undefined),
  };
}

const CONVERSE_FIELDS = new Set([
  'additionalModelResponseFieldPaths',
  'guardrailConfig',
  'inferenceConfig',
  'outputConfig',
  'performanceConfig',
  'promptVariables',
  'requestMetadata',
  'serviceTier',
]);

/** `top_k` and thinking; they are left out for a maker who has no such parameter on Bedrock. */
function makersFields(
  vendor: string | undefined,
  call: CallContext<'messages'>,
): Record<string, unknown> {
  const { request, model } = call;
  const { top_k: topK } = request;
  const thinks = able(model, 'thinking');
  const effort = thinks && request.thinking?.type !== 'disabled' ? askedEffort(request) : undefined;
  switch (vendor) {
    case 'anthropic':
      return claudeFields(call);
    case 'amazon':
      return present({
        inferenceConfig: topK === undefined ? undefined : { topK },
        reasoningConfig: effort && novaReasoning(effort),
      });
    case 'cohere':
      return present({ k: topK });
    case 'mistral':
      return present({ top_k: topK });
    case 'openai':
      return present({ reasoning_effort: effort });
    case 'qwen':
      return present({ reasoning_config: effort === 'medium' ? 'high' : effort });
    default:
      return {};
  }
}

/** https://docs.aws.amazon.com/bedrock/latest/userguide/claude-messages-extended-thinking.html */
function claudeFields({ request, headers }: CallContext<'messages'>): Record<string, unknown> {
  const { effort } = (request.output_config ?? {}) as { effort?: unknown };
  const betas = bedrockBetas(headers['anthropic-beta']);
  const choice = request.tool_choice;
  return present({
    top_k: request.top_k,
    thinking: request.thinking,
    output_config: effort === undefined ? undefined : { effort },
    anthropic_beta: betas.length > 0 ? betas : undefined,
    // Converse's own choice cannot say it.
    tool_choice: choice?.disable_parallel_tool_use === true ? choice : undefined,
  });
}

/**
 * The highest effort is not used: with it Nova refuses `maxTokens`, which bounds what a call costs.
 * https://docs.aws.amazon.com/nova/latest/nova2-userguide/extended-thinking.html
 */
function novaReasoning(effort: string): object {
  return { type: 'enabled', maxReasoningEffort: effort === 'low' ? 'low' : 'medium' };
}
