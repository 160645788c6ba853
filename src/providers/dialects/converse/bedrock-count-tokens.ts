import { tokenCount } from '../../../contract/usage.js';
import { type Codec } from '../../provider.js';
import { claudeBody } from '../anthropic/bedrock-anthropic-codec.js';
import { bedrockPath, foundationModel } from './bedrock-model.js';
import { brokenAnswer } from '../broken-answer.js';
import { replyObject } from '../reply-object.js';

/**
 * Bedrock's count of a Claude's input. It counts for models and not for profiles of them, and refuses
 * with 400 the newer models that are reached by profiles only.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_CountTokens.html
 */
export const bedrockCountTokens: Codec<'count-tokens'> = {
  encode: (call) => [
    {
      path: bedrockPath(foundationModel(call.model.name), 'count-tokens'),
      body: { json: { input: { invokeModel: { body: base64(claudeBody({ ...call })) } } } },
      framing: 'none',
    },
  ],

  decode([reply]) {
    const { inputTokens } = replyObject(reply) as { inputTokens?: unknown };
    const input_tokens = tokenCount(inputTokens);
    if (input_tokens === undefined) throw brokenAnswer('The provider did not count.');
    return { result: { input_tokens }, usage: undefined };
  },
};

function base64(body: object): string {
  return Buffer.from(JSON.stringify(body)).toString('base64');
}
