import { type NeutralBlock } from '../../../contract/neutral.js';
import { type CallContext, type Decoded, type UpstreamReply } from '../../provider.js';
import { brokenAnswer } from '../broken-answer.js';
import { neutralMessage, neutralUsage } from '../neutral-answer.js';
import {
  OLLAMA_SIGNATURE,
  type OllamaAnswer,
  ollamaStop,
  ollamaUsage,
  spokenBy,
} from './ollama-reading.js';
import { replyObject } from '../reply-object.js';
import { toolUses } from '../tool-uses.js';

/**
 * A whole Ollama answer as a message. https://docs.ollama.com/api/chat
 *
 * @throws GatewayError 502 when it is none.
 */
export function messageOfOllama(
  reply: UpstreamReply | undefined,
  call: CallContext<'messages'>,
): Decoded<'messages'> {
  const answer = replyObject(reply) as OllamaAnswer;
  if (typeof answer.message !== 'object' || answer.message === null) {
    throw brokenAnswer('The provider did not answer with a message.');
  }
  const { thinking, text, calls } = spokenBy(answer);
  const toolUse = toolUses(call);
  const content: NeutralBlock[] = [];
  if (thinking) content.push({ type: 'thinking', thinking, signature: OLLAMA_SIGNATURE });
  if (text) content.push({ type: 'text', text });
  for (const { id, function: called } of calls) {
    content.push(toolUse({ id, name: called?.name, input: called?.arguments }));
  }
  const usage = ollamaUsage(answer);
  return {
    result: neutralMessage(call, {
      content,
      stop: ollamaStop(answer, calls.length),
      usage: usage && neutralUsage(usage),
    }),
    usage,
  };
}
