import { type CallContext } from '../../provider.js';
import { assistantBlocks, runsOf, systemBlocks, type Turn } from '../conversation-runs.js';
import { shortId } from './openai-chat-history.js';
import {
  type ChatPart,
  contentOf,
  contentParts,
  textPart,
  toolResult,
} from './openai-chat-parts.js';
import { type ChatQuirks, isThoughtless } from './openai-chat-quirks.js';
import { returnedThinking } from './openai-chat-thinking.js';
import { objectOf, type Placed, stringOf } from '../placed-blocks.js';
import { isToolChange } from '../tools-on-offer.js';
import { nineCharacters, wireToolName } from '../wire-names.js';

/** A message of a chat completions request. */
interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | readonly object[] | null;
  readonly tool_calls?: readonly object[];
  readonly tool_call_id?: string;
  readonly [field: string]: unknown;
}

/**
 * A conversation as OpenAI's `messages`. Thinking of earlier turns goes back to a provider that wants
 * it and that issued it, and is left out otherwise; cache marks and citations have no counterpart.
 * https://platform.openai.com/docs/api-reference/chat/create
 *
 * @throws GatewayError 400 naming the block that lacks a field or has no counterpart.
 */
export function chatMessages(call: CallContext<'messages'>, quirks: ChatQuirks): ChatMessage[] {
  const callId = quirks.shortCallIds ? nineCharacters : shortId;
  const isReturned = quirks.thinkingHistory !== undefined && !isThoughtless(quirks, call.model);
  const assistant: Assistant = { callId, quirks, isReturned, issuer: call.model.provider };
  return [
    ...message('system', systemBlocks(call.request).map(textPart)),
    ...runsOf(call.request).flatMap((run) =>
      run[0]?.role === 'assistant' ? assistantMessage(run, assistant) : answerMessages(run, callId),
    ),
  ];
}

interface Assistant {
  readonly callId: (id: string) => string;
  readonly quirks: ChatQuirks;
  /** Whether its own thinking goes back to it. */
  readonly isReturned: boolean;
  readonly issuer: string;
}

function assistantMessage(
  turns: readonly Turn[],
  { callId, quirks, isReturned, issuer }: Assistant,
): ChatMessage[] {
  const { said: blocks, calls: called } = assistantBlocks(turns);
  const texts = blocks.filter(({ block }) => block.type === 'text').map(textPart);
  const thoughts = blocks.filter(({ block }) => block.type !== 'text');
  const calls = called.map((place) => toolCall(place, callId));
  const { fields, parts } = returnedThinking(isReturned ? thoughts : [], issuer);
  const said = parts.length > 0 ? [...parts, ...texts] : contentOf(texts);
  if (said.length + calls.length === 0) return [];
  // There was none, or another provider's.
  const isMissing = quirks.thinkingHistory === 'required' && calls.length > 0;
  return [
    {
      role: 'assistant',
      content: said.length === 0 ? null : said,
      ...(isMissing && { reasoning_content: ' ' }),
      ...fields,
      ...(calls.length > 0 && { tool_calls: calls }),
    },
  ];
}

/** OpenAI wants one tool message for each call id right behind the calls, before anything else. */
function answerMessages(turns: readonly Turn[], callId: (id: string) => string): ChatMessage[] {
  const results = new Map<string, string[]>();
  const rest: ChatMessage[] = [];
  for (const { role, blocks } of turns) {
    if (role === 'system') {
      // Changes of the tools on offer are made in `tools`.
      const said = blocks.filter(({ block }) => !isToolChange(block));
      rest.push(...message('system', said.map(textPart)));
      continue;
    }
    const parts: ChatPart[] = [];
    for (const place of blocks) {
      if (place.block.type !== 'tool_result') {
        parts.push(...contentParts(place));
        continue;
      }
      const id = callId(stringOf(place, 'tool_use_id'));
      const { text, attachments } = toolResult(place);
      const texts = results.get(id);
      if (texts) texts.push(text);
      else results.set(id, [text]);
      parts.push(...attachments);
    }
    rest.push(...message('user', parts));
  }
  const tools = [...results].map(([id, texts]): ChatMessage => ({
    role: 'tool',
    tool_call_id: id,
    content: texts.join('\n'),
  }));
  return [...tools, ...rest];
}

function message(role: ChatMessage['role'], parts: readonly ChatPart[]): ChatMessage[] {
  return parts.length === 0 ? [] : [{ role, content: contentOf(parts) }];
}

function toolCall(place: Placed, callId: (id: string) => string): object {
  const name = wireToolName(stringOf(place, 'name'));
  const id = callId(stringOf(place, 'id'));
  const { block: input } = objectOf(place, 'input');
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
}
