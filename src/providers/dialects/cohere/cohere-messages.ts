import { type NeutralBlock, type NeutralRequest } from '../../../contract/neutral.js';
import { type CohereDocument, documentOf, isCitable } from './cohere-documents.js';
import { cohereToolName } from './cohere-tools.js';
import {
  assistantBlocks,
  resultsIn,
  runsOf,
  saidBesides,
  systemBlocks,
  type Turn,
} from '../conversation-runs.js';
import {
  type ChatPart,
  contentParts,
  failureText,
  textPart,
  type TextPart,
} from '../openai-chat/openai-chat-parts.js';
import { objectOf, placed, type Placed, stringOf, untranslatable } from '../placed-blocks.js';
import { provedBy } from '../proof-marks.js';

type DocumentPart = Readonly<{ type: 'document'; document: CohereDocument }>;
type ThinkingPart = Readonly<{ type: 'thinking'; thinking: string }>;
type Part = ChatPart | DocumentPart | ThinkingPart;

/** A message of a Cohere v2 chat request. */
interface CohereMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content?: string | readonly Part[];
  readonly tool_plan?: string;
  readonly tool_calls?: readonly object[];
  readonly tool_call_id?: string;
}

/** What a thinking block holds: the model's thinking, or its plan before it calls tools. */
export type Thought = 'thinking' | 'plan';

/**
 * A conversation as Cohere's `messages`. Thinking and plans go back to Cohere when they are its own;
 * cache marks and citations of earlier answers have no counterpart.
 * https://docs.cohere.com/reference/chat
 *
 * @throws GatewayError 400 naming the block that lacks a field or has no counterpart.
 */
export function cohereMessages(request: NeutralRequest): CohereMessage[] {
  return [
    ...message('system', systemBlocks(request).map(textPart)),
    ...runsOf(request).flatMap((run) =>
      run[0]?.role === 'assistant' ? assistantMessage(run) : answerMessages(run),
    ),
  ];
}

function assistantMessage(run: readonly Turn[]): CohereMessage[] {
  const { said, calls: called } = assistantBlocks(run);
  const calls = called.map(toolCall);
  const parts: (TextPart | ThinkingPart)[] = [];
  let plan = '';
  for (const place of said) {
    if (place.block.type === 'text') {
      parts.push(textPart(place));
      continue;
    }
    const kind = provedBy('cohere', place.block.signature) as Thought | undefined;
    const thinking = kind && stringOf(place, 'thinking');
    if (kind === 'plan') plan += thinking ?? '';
    else if (thinking) parts.push({ type: 'thinking', thinking });
  }
  if (parts.length === 0 && calls.length === 0) return [];
  return [
    {
      role: 'assistant',
      ...(parts.length > 0 && { content: contentOf(parts) }),
      ...(plan && calls.length > 0 && { tool_plan: plan }),
      ...(calls.length > 0 && { tool_calls: calls }),
    },
  ];
}

/** The results of the calls come right behind them, before anything else. */
function answerMessages(run: readonly Turn[]): CohereMessage[] {
  const tools: CohereMessage[] = [];
  const attachments: ChatPart[] = [];
  for (const [id, results] of resultsIn(run)) {
    const parts = results.flatMap(resultParts);
    // Cohere takes no images in a result, so they are handed over apart from it.
    attachments.push(...parts.filter(isAttachment));
    const content = contentOf(parts.filter((part) => !isAttachment(part)));
    tools.push({ role: 'tool', tool_call_id: id, content });
  }
  const rest = saidBesides(run).flatMap(({ role, blocks }) =>
    role === 'system'
      ? message('system', blocks.map(textPart))
      : message('user', blocks.filter((place) => !isCitable(place)).flatMap(userParts)),
  );
  return [...tools, ...message('user', attachments), ...rest];
}

function isAttachment(part: Part): part is ChatPart {
  return part.type === 'image_url';
}

function userParts(place: Placed): ChatPart[] {
  const parts = contentParts(place);
  // Everything but text would have to be fetched or read, and Cohere reads no files.
  if (parts.some(({ type }) => type === 'file')) {
    throw untranslatable(`${place.at}.source.media_type`, 'must be text for this model.');
  }
  return parts;
}

function resultParts(place: Placed): Part[] {
  const content = (place.block.content ?? []) as string | readonly NeutralBlock[];
  const parts = placed(content, `${place.at}.content`).flatMap((part): Part[] => {
    if (part.block.type === 'tool_reference') {
      return [{ type: 'text', text: stringOf(part, 'tool_name') }];
    }
    if (isCitable(part)) return [{ type: 'document', document: documentOf(part) }];
    return userParts(part);
  });
  if (place.block.is_error !== true) return parts;
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  const failure: TextPart = { type: 'text', text: failureText(text) };
  return [failure, ...parts.filter(({ type }) => type !== 'text')];
}

function toolCall(place: Placed): object {
  const name = cohereToolName(stringOf(place, 'name'));
  const { block: input } = objectOf(place, 'input');
  const called = { name, arguments: JSON.stringify(input) };
  return { id: stringOf(place, 'id'), type: 'function', function: called };
}

function message(role: CohereMessage['role'], parts: readonly Part[]): CohereMessage[] {
  return parts.length === 0 ? [] : [{ role, content: contentOf(parts) }];
}

/** A plain string where it can be one. */
function contentOf(parts: readonly Part[]): string | readonly Part[] {
  const [only] = parts;
  if (!only) return '';
  return parts.length === 1 && only.type === 'text' ? only.text : parts;
}
