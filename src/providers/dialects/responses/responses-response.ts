import { type NeutralBlock } from '../../../contract/neutral.js';
import { listOf } from '../../../json/values.js';
import { type CallContext, type Decoded, type UpstreamReply } from '../../provider.js';
import { brokenAnswer } from '../broken-answer.js';
import { neutralMessage, neutralUsage } from '../neutral-answer.js';
import { errorIn } from '../provider-error.js';
import { replyObject } from '../reply-object.js';
import {
  citationOf,
  isFinished,
  itemsOf,
  type OutputItem,
  type OutputPart,
  pictureOf,
  refusalMark,
  type ResponseBody,
  responsesStop,
  saidIn,
  thinkingOf,
} from './responses-reading.js';
import { reasoningSignature } from './responses-reasoning.js';
import { toolUsage } from './responses-tools.js';
import { responsesThinking, responsesUsage } from './responses-usage.js';
import { toolUses } from '../tool-uses.js';

/**
 * A whole Responses answer as a message. Calls of OpenAI's own tools are left out: what they found
 * is in the text. https://platform.openai.com/docs/api-reference/responses/object
 *
 * @throws GatewayError 502 when it is none.
 */
export function messageOfResponse(
  reply: UpstreamReply | undefined,
  call: CallContext<'messages'>,
): Decoded<'messages'> {
  const body = replyObject(reply) as ResponseBody;
  if (!Array.isArray(body.output) || !isFinished(body)) {
    throw brokenAnswer(errorIn(body)?.message ?? 'The provider did not answer with a response.');
  }
  const content = itemsOf(body).flatMap(blocksOf(call));
  const calls = content.filter(({ type }) => type === 'tool_use').length;
  const usage = responsesUsage(body);
  return {
    result: neutralMessage(call, {
      content,
      stop: responsesStop(body, calls),
      usage: usage && neutralUsage(usage, responsesThinking(body)),
    }),
    usage,
    ...(!usage && { tools: toolUsage(body, {}) }),
  };
}

function blocksOf(call: CallContext<'messages'>): (item: OutputItem | null) => NeutralBlock[] {
  const toolUse = toolUses(call);
  return (item) => {
    switch (item?.type) {
      case 'message':
        return (listOf(item.content) as (OutputPart | null)[]).flatMap((part) =>
          textBlocks(part, call),
        );
      case 'reasoning':
        return reasoningBlocks(item, call.model.provider);
      case 'function_call':
      case 'custom_tool_call': {
        const input = item.type === 'function_call' ? item.arguments : { input: item.input };
        return [toolUse({ id: item.call_id, name: item.name, input })];
      }
      case 'image_generation_call': {
        const picture = pictureOf(item);
        return picture ? [picture] : [];
      }
      default:
        return [];
    }
  };
}

function textBlocks(part: OutputPart | null, call: CallContext<'messages'>): NeutralBlock[] {
  const text = saidIn(part);
  if (text === '') return [];
  const citations = listOf(part?.annotations).flatMap((wire) => citationOf(wire, text) ?? []);
  const mark = refusalMark(part?.type === 'refusal', call);
  return [{ type: 'text', text, ...(citations.length > 0 && { citations }), ...mark }];
}

/** Reasoning that is not shown still has to come back, as what cannot be read. */
function reasoningBlocks(item: OutputItem, issuer: string): NeutralBlock[] {
  const thinking = thinkingOf(item);
  const signature = reasoningSignature(item, issuer);
  if (thinking !== '') return [{ type: 'thinking', thinking, signature }];
  return signature === '' ? [] : [{ type: 'redacted_thinking', data: signature }];
}
