import {
  type NeutralBlock,
  type NeutralMessage,
  refusalOf,
  thinkingTokens,
} from '../contract/neutral.js';
import { writtenInput } from '../contract/tool-input.js';
import { type Usage } from '../contract/usage.js';
import { type SurfaceCall } from '../dispatch/surface.js';
import { isObject, listOf, textOf } from '../json/values.js';
import { type Annotation, CitedText } from './chat-annotations.js';
import { completionUsage, finishReason, tierOf } from './chat-ending.js';
import { encryptedDetail, type ReasoningDetail, thoughtDetail } from './chat-thinking.js';
import { isOldStyle } from './chat-tools.js';

/** What the answers of a call have in common. */
export function identity({ id, created, model }: SurfaceCall): object {
  return { id: `chatcmpl-${id.replace(/^req_/, '')}`, created, model: model.id };
}

/**
 * A message as a chat completion, but for `cost` and `provider`. What ran at the provider (a search,
 * code) is left out: its outcome is in the text and its annotations.
 * https://platform.openai.com/docs/api-reference/chat/object
 */
export function chatCompletion(message: NeutralMessage, usage: Usage, call: SurfaceCall): object {
  const said = saidIn(message.content);
  const isOld = isOldStyle(call.body);
  const [first] = said.calls;
  return {
    ...identity(call),
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: said.text === '' && (said.refusal || said.calls.length > 0) ? null : said.text,
          refusal: said.refusal || refusalOf(message),
          ...(said.reasoning && { reasoning_content: said.reasoning }),
          ...(said.details.length > 0 && { reasoning_details: said.details }),
          ...(said.images.length > 0 && { images: said.images }),
          ...(said.annotations.length > 0 && { annotations: said.annotations }),
          ...(first && (isOld ? { function_call: first.function } : { tool_calls: said.calls })),
        },
        logprobs: null,
        finish_reason: finishReason(message, { isOld, isEmpty: message.content.length === 0 }),
      },
    ],
    ...tierOf(usage),
    usage: completionUsage(usage, thinkingTokens(message.usage)),
  };
}

/** An image of an answer, in the form that OpenRouter gave it. */
export function drawnImage({ source }: NeutralBlock): object[] {
  if (!isObject(source)) return [];
  const { type, url, media_type: mediaType, data } = source;
  const address = type === 'base64' ? `data:${String(mediaType)};base64,${String(data)}` : url;
  if (typeof address !== 'string') return [];
  return [{ type: 'image_url', image_url: { url: address } }];
}

interface Said {
  text: string;
  refusal: string;
  readonly annotations: Annotation[];
  reasoning: string;
  readonly details: ReasoningDetail[];
  readonly images: object[];
  readonly calls: { readonly function: object }[];
}

function saidIn(content: readonly NeutralBlock[]): Said {
  const cited = new CitedText();
  const lists = { annotations: [], details: [], images: [], calls: [] };
  const said: Said = { text: '', refusal: '', reasoning: '', ...lists };
  const place = (): number => said.details.length + said.calls.length + (said.text === '' ? 0 : 1);
  for (const block of content) {
    switch (block.type) {
      case 'text':
        if (block.is_refusal === true) {
          said.refusal += textOf(block.text);
          break;
        }
        said.text += textOf(block.text);
        cited.add(textOf(block.text));
        for (const citation of listOf(block.citations)) cited.cite(citation);
        said.annotations.push(...cited.closeBlock());
        break;
      case 'thinking': {
        const thinking = textOf(block.thinking);
        said.details.push(thoughtDetail(place(), thinking, textOf(block.signature)));
        said.reasoning += thinking;
        break;
      }
      case 'redacted_thinking':
        said.details.push(encryptedDetail(place(), textOf(block.data)));
        break;
      case 'tool_use':
        said.calls.push(toolCall(block));
        break;
      case 'image':
        said.images.push(...drawnImage(block));
        break;
    }
  }
  return said;
}

function toolCall({ id, name, input }: NeutralBlock) {
  const called = { name, arguments: writtenInput(input) };
  return { id, type: 'function', function: called };
}
