import { type NeutralRequest, type NeutralTurn } from '../../contract/neutral.js';
import { objectOf, type Placed, placed, stringOf, unknownType } from './openai-chat-blocks.js';
import { shortened, wireToolName } from './openai-chat-names.js';
import {
  type ChatPart,
  contentOf,
  contentParts,
  textPart,
  type TextPart,
  toolResult,
} from './openai-chat-parts.js';

/** A message of a chat completions request. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | readonly ChatPart[] | null;
  readonly tool_calls?: readonly object[];
  readonly tool_call_id?: string;
}

/**
 * A conversation as OpenAI's `messages`. Thinking of earlier turns is left out, because it is signed
 * for its issuer only; cache marks and citations have no counterpart.
 * https://platform.openai.com/docs/api-reference/chat/create
 *
 * @throws GatewayError 400 naming the block that lacks a field or has no counterpart.
 */
export function chatMessages(request: NeutralRequest): ChatMessage[] {
  const system = placed(request.system ?? [], 'system').map(textPart);
  const turns = request.messages.map(({ role, content }, index) => ({
    role,
    blocks: placed(content, `messages[${index}].content`),
  }));
  return [
    ...message('system', system),
    ...runs(turns).flatMap((run) =>
      run[0]?.role === 'assistant' ? assistantMessage(run) : answerMessages(run),
    ),
  ];
}

interface Turn {
  readonly role: NeutralTurn['role'];
  readonly blocks: readonly Placed[];
}

/** Neighbours of one side belong together: what the assistant said, and all that answers it. */
function runs(turns: readonly Turn[]): Turn[][] {
  const all: Turn[][] = [];
  for (const turn of turns) {
    const last = all.at(-1);
    const isSameSide = (last?.[0]?.role === 'assistant') === (turn.role === 'assistant');
    if (last && isSameSide) last.push(turn);
    else all.push([turn]);
  }
  return all;
}

function assistantMessage(turns: readonly Turn[]): ChatMessage[] {
  const texts: TextPart[] = [];
  const calls: object[] = [];
  for (const place of turns.flatMap(({ blocks }) => blocks)) {
    switch (place.block.type) {
      case 'text':
        texts.push(textPart(place));
        break;
      case 'tool_use':
        calls.push(toolCall(place));
        break;
      case 'thinking':
      case 'redacted_thinking':
        break;
      default:
        throw unknownType(place);
    }
  }
  if (calls.length === 0) return message('assistant', texts);
  const content = texts.length === 0 ? null : contentOf(texts);
  return [{ role: 'assistant', content, tool_calls: calls }];
}

/** OpenAI wants one tool message for each call id right behind the calls, before anything else. */
function answerMessages(turns: readonly Turn[]): ChatMessage[] {
  const results = new Map<string, string[]>();
  const rest: ChatMessage[] = [];
  for (const { role, blocks } of turns) {
    if (role === 'system') {
      rest.push(...message('system', blocks.filter(isSaid).map(textPart)));
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
      results.set(id, [...(results.get(id) ?? []), text]);
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

/** Changes of the tools on offer are made in `tools`. */
function isSaid({ block }: Placed): boolean {
  return block.type !== 'tool_addition' && block.type !== 'tool_removal';
}

function message(role: ChatMessage['role'], parts: readonly ChatPart[]): ChatMessage[] {
  return parts.length === 0 ? [] : [{ role, content: contentOf(parts) }];
}

function toolCall(place: Placed): object {
  const name = wireToolName(stringOf(place, 'name'));
  const id = callId(stringOf(place, 'id'));
  const { block: input } = objectOf(place, 'input');
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
}

/** OpenAI refuses ids of more than 40 characters, which other providers' calls may have. */
function callId(id: string): string {
  return shortened(id, 40);
}
