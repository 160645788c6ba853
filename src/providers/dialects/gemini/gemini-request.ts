import { type NeutralRequest } from '../../../contract/neutral.js';
import { present, someMembers } from '../../../json/values.js';
import { type CallContext } from '../../provider.js';
import { askedSchema, refuseAnthropicsOwn } from '../asked-output.js';
import { geminiContents } from './gemini-contents.js';
import { geminiExtras, TOP_LEVEL } from './gemini-extras.js';
import { isSinceGemini3 } from './gemini-generation.js';
import { type GeminiHost } from './gemini-host.js';
import { thinkingConfig } from './gemini-thinking.js';
import { geminiTooling } from './gemini-tools.js';
import { untranslatable } from '../placed-blocks.js';
import { isSubstitute, refuseMoreStops, suitedExtras } from '../substitute-model.js';

/**
 * The body of a `generateContent` call. What only Anthropic knows is left out; fields of Gemini's own
 * are taken as they are and win over what the Messages fields say.
 * https://ai.google.dev/api/generate-content
 *
 * @throws GatewayError 400 naming the field that cannot be translated.
 */
export function generateContentBody(
  { request, model }: Pick<CallContext<'messages'>, 'request' | 'model'>,
  host: GeminiHost,
): Record<string, unknown> {
  refuseAnthropicsOwn(request);
  const extras = geminiExtras(request);
  const { model: named, stop_sequences: stop } = request;
  const isOther = isSubstitute(named, model);
  refuseMoreStops({ named, stop }, model, { field: 'stop_sequences', most: 5 });
  const isBoundAlone = isOther && askedSchema(request) && !isSinceGemini3(model.name);
  // What may not be called need not be offered.
  const isIdle = isBoundAlone && request.tool_choice?.type === 'none';
  const { tools, toolConfig } = isIdle ? {} : geminiTooling(request, model.name, host);
  if (isBoundAlone && tools) {
    throw untranslatable('tools', 'this model answers by no schema where it may call them.');
  }
  return {
    ...suitedExtras(extras.others, { request, model }, TOP_LEVEL),
    ...geminiContents(request, model.name, host),
    ...present({
      tools,
      toolConfig: someMembers({ ...toolConfig, ...extras.toolConfig }),
      generationConfig: someMembers({
        ...generationConfig(request, model.name),
        ...extras.generationConfig,
        ...(isOther && !host.takesPenalties && WITHOUT_PENALTIES),
      }),
    }),
  };
}

/** https://github.com/vercel/ai/issues/8943 */
const WITHOUT_PENALTIES = { presencePenalty: undefined, frequencyPenalty: undefined } as const;

function generationConfig(request: NeutralRequest, name: string): Record<string, unknown> {
  return present({
    maxOutputTokens: request.max_tokens,
    temperature: request.temperature,
    topP: request.top_p,
    topK: request.top_k,
    stopSequences: request.stop_sequences?.length ? request.stop_sequences : undefined,
    thinkingConfig: thinkingConfig(request, name),
    ...jsonOutput(request),
  });
}

/** https://ai.google.dev/gemini-api/docs/structured-output */
function jsonOutput(request: NeutralRequest): Record<string, unknown> {
  const schema = askedSchema(request);
  if (schema === undefined) return {};
  return { responseMimeType: 'application/json', responseJsonSchema: schema };
}
