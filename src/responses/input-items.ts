import { type NeutralBlock } from '../contract/neutral.js';
import { withOrigin } from '../contract/origin.js';
import { invalid, objects, type Placed, textIn } from '../http/request-fields.js';
import { type Fields, isText } from '../json/values.js';
import { Conversation } from './conversation.js';
import { contentBlocks, textBlocks } from './input-parts.js';
import { modelName } from './offered-tools.js';
import { thinkingOf } from './reasoning.js';
import { kindOfItem, type ToolKind } from './tool-kinds.js';
import { unknownType } from './unknown-type.js';

/**
 * The conversation that `instructions` and `input` are, in the neutral shape's turns.
 * https://platform.openai.com/docs/api-reference/responses/create#responses_create-input
 *
 * @throws GatewayError 400 naming the item that lacks a field or has no counterpart.
 */
export function conversationOf({ instructions, input }: Fields): Conversation {
  const conversation = new Conversation();
  conversation.say('system', contentBlocks(instructions, 'instructions'));
  if (typeof input === 'string') conversation.say('user', contentBlocks(input, 'input'));
  else for (const item of objects(input, 'input')) add(conversation, item);
  return conversation;
}

function add(conversation: Conversation, place: Placed): void {
  const { fields: item } = place;
  const kind = kindOfItem(item.type);
  if (kind) {
    addTool(conversation, place, kind);
    return;
  }
  // `type` may be left out of a message.
  switch (item.type ?? 'message') {
    case 'message':
      addMessage(conversation, place);
      return;
    case 'reasoning': {
      const thinking = thinkingOf(item);
      if (thinking) conversation.say('assistant', [thinking]);
      return;
    }
    case 'image_generation_call':
      conversation.say('assistant', [generatedImage(place)]);
      return;
    // The tools in it are on offer; see `offeredTools`.
    case 'additional_tools':
    // What was found is not in these items, but in what the model said next.
    case 'web_search_call':
    case 'file_search_call':
    // The provider's own notes on tools that it alone can reach.
    case 'mcp_list_tools':
      return;
    default:
      throw unknownType(place);
  }
}

function addMessage(conversation: Conversation, { fields: { role, content }, at }: Placed): void {
  switch (role) {
    case 'user':
    case 'assistant':
      conversation.say(role, contentBlocks(content, `${at}.content`));
      return;
    case 'system':
    case 'developer':
      conversation.say('system', textBlocks(content, `${at}.content`));
      return;
    default:
      throw invalid(`${at}.role`, 'must be user, assistant, system or developer.');
  }
}

function addTool(conversation: Conversation, place: Placed, kind: ToolKind): void {
  const { fields: item, at } = place;
  // A search that OpenAI made itself; what it found is on offer.
  if (kind.call === 'tool_search_call' && (item.call_id ?? null) === null) return;
  // Clients name the call of a local shell by either field.
  const id = textIn(place, item.call_id === undefined && isText(item.id) ? 'id' : 'call_id');
  if (item.type === kind.call) {
    const { namespace } = item;
    const name = modelName({
      name: kind.name ?? textIn(place, 'name'),
      namespace: typeof namespace === 'string' ? namespace : undefined,
    });
    conversation.call(id, withOrigin(at, { type: 'tool_use', id, name, input: kind.input(item) }));
    return;
  }
  const result = withOrigin(at, { type: 'tool_result', tool_use_id: id, ...resultOf(place) });
  if (!conversation.answer(id, result)) {
    throw invalid(`${at}.call_id`, `there is no call '${id}' before it.`);
  }
}

/** What a tool gave back; of some kinds that is JSON. */
function resultOf({ fields, at }: Placed): object {
  const { type, output, tools, status } = fields;
  switch (type) {
    case 'tool_search_output':
      return { content: textBlock(JSON.stringify(tools ?? [])) };
    case 'shell_call_output':
      return { content: textBlock(JSON.stringify(output ?? [])) };
    case 'apply_patch_call_output': {
      const content = contentBlocks(output ?? status, `${at}.output`);
      return { content, ...(status === 'failed' && { is_error: true }) };
    }
    default:
      return { content: contentBlocks(output, `${at}.output`) };
  }
}

function textBlock(text: string): NeutralBlock[] {
  return [{ type: 'text', text }];
}

/** An image that the model made in an earlier turn. */
function generatedImage(place: Placed): NeutralBlock {
  const { output_format: format } = place.fields;
  const media_type = `image/${typeof format === 'string' ? format : 'png'}`;
  const source = { type: 'base64', media_type, data: textIn(place, 'result') };
  return withOrigin(place.at, { type: 'image', source });
}
