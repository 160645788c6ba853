import { type NeutralBlock } from '../../contract/neutral.js';
import { type CallContext, type Decoded, type UpstreamReply } from '../provider.js';
import {
  OLLAMA_SIGNATURE,
  type OllamaAnswer,
  ollamaStop,
  ollamaUsage,
  spokenBy,
} from './ollama-reading.js';
import { brokenAnswer, messageId, neutralUsage, toolIds, toolName } from './openai-chat-reading.js';
import { callerToolNames } from './openai-chat-tools.js';
import { replyObject } from './reply-object.js';
import { toolInput } from './tool-input.js';

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
  const names = callerToolNames(call.request);
  const toolId = toolIds(call);
  const content: NeutralBlock[] = [];
  if (thinking) content.push({ type: 'thinking', thinking, signature: OLLAMA_SIGNATURE });
  if (text) content.push({ type: 'text', text });
  for (const { id, function: called } of calls) {
    const sent = toolName(called?.name);
    const name = names.get(sent) ?? sent;
    content.push({ type: 'tool_use', id: toolId(id), name, input: toolInput(called?.arguments) });
  }
  const usage = ollamaUsage(answer);
  return {
    result: {
      id: messageId(call),
      type: 'message',
      role: 'assistant',
      model: call.model.id,
      content,
      ...ollamaStop(answer, calls.length),
      usage: usage ? neutralUsage(usage) : { input_tokens: call.inputEstimate, output_tokens: 0 },
    },
    usage,
  };
}
