import { type NeutralBlock } from '../../contract/neutral.js';
import { type CallContext, type Decoded, type UpstreamReply } from '../provider.js';
import {
  brokenAnswer,
  callsIn,
  chatUsage,
  listOf,
  messageId,
  neutralUsage,
  parsedObject,
  type Spoken,
  spokenIn,
  stopReason,
  toolIds,
  toolName,
  type WireMessage,
} from './openai-chat-reading.js';
import { callerToolNames } from './openai-chat-tools.js';
import { errorIn } from './provider-error.js';

/**
 * A whole chat completion as a message; the first choice is the answer.
 * https://platform.openai.com/docs/api-reference/chat/object
 *
 * @throws GatewayError 502 when it is none.
 */
export function messageOfCompletion(
  reply: UpstreamReply | undefined,
  call: CallContext<'messages'>,
): Decoded<'messages'> {
  const body = parsed(reply);
  const choice = listOf(body?.choices)[0] as Choice | null | undefined;
  // A filtered answer may come with its finish reason alone.
  const isFiltered = choice?.finish_reason === 'content_filter';
  if (!choice || !(isFiltered || (choice.message && typeof choice.message === 'object'))) {
    throw brokenAnswer(errorIn(body)?.message ?? 'The provider did not answer with a message.');
  }
  const calls = callsIn(choice.message);
  const names = callerToolNames(call.request);
  const toolId = toolIds(call);
  const content = [
    ...[...spokenIn(choice.message)].map(spokenBlock),
    ...calls.map(({ id, function: called }): NeutralBlock => {
      const name = toolName(called?.name);
      return {
        type: 'tool_use',
        id: toolId(id),
        name: names.get(name) ?? name,
        input: toolInput(called?.arguments),
      };
    }),
  ];
  const usage = chatUsage(body?.usage);
  return {
    result: {
      id: messageId(call),
      type: 'message',
      role: 'assistant',
      model: call.model.id,
      content,
      stop_reason: stopReason(choice.finish_reason, calls.length),
      stop_sequence: null,
      usage: usage ? neutralUsage(usage) : { input_tokens: call.inputEstimate, output_tokens: 0 },
    },
    usage,
  };
}

interface Completion {
  readonly choices?: unknown;
  readonly usage?: unknown;
}

interface Choice {
  readonly message?: WireMessage | null;
  readonly finish_reason?: unknown;
}

function parsed(reply: UpstreamReply | undefined): Completion | null | undefined {
  try {
    return reply?.json() as Completion | null | undefined;
  } catch {
    throw brokenAnswer('The provider did not answer in JSON.');
  }
}

/** Thinking of another vendor carries no signature; SDKs want the field. */
function spokenBlock({ kind, text }: Spoken): NeutralBlock {
  return kind === 'text'
    ? { type: 'text', text }
    : { type: 'thinking', thinking: text, signature: '' };
}

/**
 * Arguments as an object. What is no JSON object keeps its text, wrapped in the way that Anthropic
 * names for it: https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/fine-grained-tool-streaming
 */
function toolInput(wire: unknown): unknown {
  if (wire === undefined || wire === null) return {};
  const text = typeof wire === 'string' ? wire : JSON.stringify(wire);
  if (text.trim() === '') return {};
  return parsedObject(text) ?? { INVALID_JSON: text };
}
