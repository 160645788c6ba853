import { type Model } from '../../../contract/model.js';
import { type NeutralBlock, type NeutralRequest } from '../../../contract/neutral.js';
import { type Fields, isSameList, present } from '../../../json/values.js';
import { type CallContext } from '../../provider.js';
import { anthropicHistory, readerOf, spelledId } from './anthropic-history.js';
import { ownBlock } from './anthropic-own-blocks.js';
import { isClaude } from './anthropic-proofs.js';
import { anthropicSchema } from './anthropic-schema.js';
import { thinkingFields } from './anthropic-thinking.js';
import { anthropicTurns, refuseAnswers, takesSystemTurns } from './anthropic-turns.js';
import { saidToClaude } from './claude-said.js';
import { spelledForClaude } from './claude-spelling.js';
import { extraFields } from '../extra-fields.js';
import { withoutUnion } from '../merged-schema.js';
import { placed, unknownType } from '../placed-blocks.js';
import { claudesTier } from '../service-tier.js';
import { toolsOnOffer } from '../tools-on-offer.js';
import { uniqueCalls } from '../unique-calls.js';
import { isSubstitute } from '../substitute-model.js';

/**
 * The body of a Messages call for a caller of another format. Anthropic refuses a field that it does
 * not know, so nothing but its own fields goes to it.
 * https://docs.anthropic.com/en/api/messages
 *
 * @throws GatewayError 400 for speech, which Anthropic does not hear, and for the beginning of an answer that a
 * model would not continue which the caller did not name.
 */
export function messagesBody(call: CallContext<'messages'>): Record<string, unknown> {
  const { model, stream } = call;
  const spelled = spelledForClaude(call);
  const request = isClaude(model) ? saidToClaude(spelled) : spelled;
  // Named by where they stand in what was asked, of which blank turns and texts are left out here.
  refuseSpeech(call.request);
  const isOther = isSubstitute(request.model, model);
  if (isOther) refuseAnswers(call.request.messages, model.name);
  const foreign = extraFields(request);
  const own = Object.entries(request).filter(
    ([name]) => !(name in foreign) && !NOT_FORWARDED.has(name),
  );
  // Anthropic wants a bound; a caller of another format who gave none wants the model's.
  const maxTokens = request.max_tokens ?? model.maxOutputTokens ?? DEFAULT_MAX_TOKENS;
  return present({
    ...Object.fromEntries(own),
    ...suitedFields(request, model, maxTokens),
    ...(isOther && substituteFields(request, model)),
    max_tokens: maxTokens,
    model: model.name,
    stream: stream || undefined,
  });
}

/**
 * The fields of a request that a model takes in its own way, as it takes them; undefined for those to
 * leave out.
 *
 * @param maxTokens what the request will bound the answer to.
 */
export function suitedFields(request: NeutralRequest, model: Model, maxTokens: number): Fields {
  const thinking = thinkingFields(request, model.name, maxTokens);
  const reader = readerOf(model);
  const isLeftOut = (block: NeutralBlock) => ownBlock(block, reader) === undefined;
  // Results are put together by their ids: whose they are is settled before.
  const named = uniqueCalls(request.messages, spelledId, isLeftOut);
  // Where a system turn may stand depends on which turns are left beside it.
  const kept = anthropicHistory(named, reader) ?? named;
  return {
    ...thinking,
    output_config: withFormat(thinking.output_config),
    messages: anthropicTurns(kept, model.name),
    ...tooling(request, model),
  };
}

/** Of the fields that suit one Claude and not the other those of one that the caller did not name. */
export function substituteFields(request: NeutralRequest, model: Model): Fields {
  return {
    // Few models have a faster mode, and the others refuse to be asked for it.
    speed: undefined,
    service_tier: claudesTier(request, model),
  };
}

const DEFAULT_MAX_TOKENS = 1024;

/** Decided by the call, sent in another way, or meant for the gateway itself. */
const NOT_FORWARDED = new Set([
  'stream',
  'betas',
  'anthropic_version',
  'fallbacks',
  'router_candidates',
  'extra_headers',
]);

function refuseSpeech({ messages }: NeutralRequest): void {
  const blocks = messages.flatMap(({ content }, index) =>
    placed(content, `messages[${index}].content`),
  );
  const speech = blocks.find(({ block }) => block.type === 'input_audio');
  if (speech) throw unknownType(speech);
}

function withFormat(config: Fields | undefined): Fields | undefined {
  const format = config?.format as Fields | null | undefined;
  if (format?.type !== 'json_schema') return config;
  return { ...config, format: { ...format, schema: anthropicSchema(format.schema) } };
}

/** Tools as Claude takes them, a strict one bound as an answer is; no choice without any, which is refused. */
function tooling(request: NeutralRequest, model: Model): Fields {
  const tools = takesSystemTurns(model.name) ? request.tools : offered(request);
  if (!tools || tools.length === 0) return { tools: undefined, tool_choice: undefined };
  const suited = tools.map((tool) => suitedTool(tool, model));
  const own = isSameList(suited, request.tools ?? []) ? request.tools : suited;
  return { tools: own, tool_choice: request.tool_choice };
}

function suitedTool(tool: Fields, model: Model): Fields {
  const given = tool.input_schema;
  const merged = isClaude(model) ? withoutUnion(given) : given;
  const schema = tool.strict === true ? anthropicSchema(merged) : merged;
  return schema === given ? tool : { ...tool, input_schema: schema };
}

/** The tools after all changes that were made to them on the way. */
function offered(request: NeutralRequest): readonly Fields[] {
  return toolsOnOffer(request).map(({ block }) => block);
}
