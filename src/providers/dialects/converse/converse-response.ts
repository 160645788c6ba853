import { type NeutralBlock } from '../../../contract/neutral.js';
import { isText, listOf } from '../../../json/values.js';
import { type CallContext, type Decoded, type UpstreamReply } from '../../provider.js';
import { brokenAnswer } from '../broken-answer.js';
import { type ConverseCitation, neutralCitation } from './converse-citations.js';
import { callersSignature, redactedThinking } from './converse-reasoning.js';
import { neutralStop } from './converse-stop.js';
import { converseUsage, countsOf, type Metered } from './converse-usage.js';
import { neutralMessage } from '../neutral-answer.js';
import { replyObject } from '../reply-object.js';
import { toolUses } from '../tool-uses.js';

/**
 * A whole Converse answer as a message.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 *
 * @throws GatewayError 502 when it is none.
 */
export function messageOfConverse(
  reply: UpstreamReply | undefined,
  call: CallContext<'messages'>,
): Decoded<'messages'> {
  const body = replyObject(reply) as Answer;
  const { message } = body.output ?? {};
  if (typeof message !== 'object' || message === null) {
    throw brokenAnswer('The provider did not answer with a message.');
  }
  const read = blockReader(call);
  const content = (listOf(message.content) as (Block | null)[]).flatMap((block) =>
    read(block ?? {}),
  );
  const calls = content.filter(({ type }) => type === 'tool_use').length;
  const usage = converseUsage(body);
  return {
    result: neutralMessage(call, {
      content,
      stop: neutralStop(body, calls, call.request),
      usage: usage && countsOf(usage),
    }),
    usage,
  };
}

/** A tool's call or its beginning; AWS runs those of the type `server_tool_use` itself. */
export interface ToolUse {
  readonly toolUseId?: unknown;
  readonly name?: unknown;
  readonly input?: unknown;
  readonly type?: unknown;
}

/** Makes a call's block. */
export function usedIn(call: CallContext<'messages'>): (use: ToolUse) => NeutralBlock {
  const toolUse = toolUses(call);
  return ({ toolUseId: id, name, input, type }) => {
    const block = toolUse({ id: typeof id === 'string' ? id : undefined, name, input });
    return type === 'server_tool_use' ? { ...block, type } : block;
  };
}

/** An image that a model made. */
export function imageBlock(format: unknown, bytes: string): NeutralBlock {
  const media_type = `image/${typeof format === 'string' ? format : 'png'}`;
  return { type: 'image', source: { type: 'base64', media_type, data: bytes } };
}

interface Answer extends Metered {
  readonly output?: { readonly message?: { readonly content?: unknown } | null } | null;
  readonly stopReason?: unknown;
  readonly additionalModelResponseFields?: unknown;
}

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ContentBlock.html */
interface Block {
  readonly text?: unknown;
  readonly toolUse?: ToolUse | null;
  readonly image?: { readonly format?: unknown; readonly source?: { readonly bytes?: unknown } };
  readonly reasoningContent?: {
    readonly reasoningText?: { readonly text?: unknown; readonly signature?: unknown } | null;
    readonly redactedContent?: unknown;
  } | null;
  readonly citationsContent?: { readonly content?: unknown; readonly citations?: unknown } | null;
}

/** Results of tools that AWS runs itself come too, and are left out: nothing asks for such tools. */
function blockReader(call: CallContext<'messages'>): (block: Block) => NeutralBlock[] {
  const toolUse = usedIn(call);
  return ({ text, toolUse: use, image, reasoningContent: thought, citationsContent: cited }) => {
    if (isText(text)) return [{ type: 'text', text }];
    if (use) return [toolUse(use)];
    if (cited) return citedText(cited);
    if (isText(image?.source?.bytes)) return [imageBlock(image.format, image.source.bytes)];
    const { reasoningText: said, redactedContent: redacted } = thought ?? {};
    if (isText(redacted)) return [redactedThinking(redacted, call.model)];
    if (!said || !(isText(said.text) || isText(said.signature))) return [];
    const signature = callersSignature(said.signature, call.model);
    return [{ type: 'thinking', thinking: isText(said.text) ? said.text : '', signature }];
  };
}

function citedText({ content, citations }: NonNullable<Block['citationsContent']>): NeutralBlock[] {
  const pieces = listOf(content) as ({ text?: unknown } | null)[];
  const text = pieces.map((piece) => (isText(piece?.text) ? piece.text : '')).join('');
  const found = (listOf(citations) as (ConverseCitation | null)[]).flatMap(neutralCitation);
  if (text === '' && found.length === 0) return [];
  return [{ type: 'text', text, ...(found.length > 0 && { citations: found }) }];
}
