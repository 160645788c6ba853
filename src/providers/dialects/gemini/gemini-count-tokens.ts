import { type CallContext, type Codec, type UpstreamReply } from '../../provider.js';
import { countOrZero } from '../../../contract/usage.js';
import { brokenAnswer } from '../broken-answer.js';
import { GEMINI_API, type GeminiHost, geminiResource, VERTEX } from './gemini-host.js';
import { generateContentBody } from './gemini-request.js';
import { replyObject } from '../reply-object.js';

/** Counts a request's input on the Gemini API. https://ai.google.dev/api/tokens */
export const geminiCountTokens = countTokensCodec(GEMINI_API);

/** https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/count-tokens */
export const vertexGeminiCountTokens = countTokensCodec(VERTEX);

function countTokensCodec(host: GeminiHost): Codec<'count-tokens'> {
  return {
    encode: (call) => [
      {
        path: host.path(call.model.name, 'countTokens', call.place),
        body: { json: countTokensBody(call, host) },
        framing: 'none',
      },
    ],
    decode: ([reply]) => ({ result: { input_tokens: totalTokens(reply) }, usage: undefined }),
  };
}

/** What takes part in the prompt; settings of the answer do not. */
function countTokensBody(call: CallContext<'count-tokens'>, host: GeminiHost): object {
  const { contents, systemInstruction, tools } = generateContentBody(call, host);
  const counted = {
    contents,
    ...(systemInstruction !== undefined && { systemInstruction }),
    ...(tools !== undefined && { tools }),
  };
  if (!host.wrapsCount) return counted;
  return { generateContentRequest: { model: geminiResource(call.model.name), ...counted } };
}

/** Zero is left out on the wire, as it is beside an error. */
function totalTokens(reply: UpstreamReply | undefined): number {
  const { totalTokens, error } = replyObject(reply) as { totalTokens?: unknown; error?: unknown };
  const count = error ? undefined : countOrZero(totalTokens);
  if (count === undefined) throw brokenAnswer('The provider did not answer with a count.');
  return count;
}
