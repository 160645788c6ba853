import { type NeutralBlock } from '../contract/neutral.js';
import { withOrigin } from '../contract/origin.js';
import { toolInput } from '../contract/tool-input.js';
import { objectIn, objectsIn, type Placed, textIn, unsupported } from '../http/request-fields.js';
import { isText } from '../json/values.js';
import { contentBlocks, partsOf, textBlocks } from './chat-parts.js';
import { thinkingPart, thoughts } from './chat-thinking.js';

/** The id made for the last call of each function, by the function's name. */
export type OldCalls = Map<string, string>;

/**
 * What the assistant said in an earlier turn: thinking where it stood, then text, pictures and tool
 * calls. `annotations` are left out: without the proofs of a search they cite nothing.
 *
 * @throws GatewayError 400 naming what lacks a field or has no counterpart.
 */
export function assistantBlocks(message: Placed, oldCalls: OldCalls): NeutralBlock[] {
  const { content, refusal, audio, function_call: oldCall } = message.fields;
  if (audio !== undefined && audio !== null) {
    throw unsupported(`${message.at}.audio`, 'is kept by its own provider.');
  }
  const blocks = [
    ...partsOf(content, `${message.at}.content`).flatMap(saidPart),
    ...(isText(refusal) ? [{ type: 'text', text: refusal }] : []),
    ...contentBlocks(message.fields.images, `${message.at}.images`),
    ...objectsIn(message, 'tool_calls').map(toolUse),
  ];
  if (oldCall !== undefined && oldCall !== null) {
    const called = objectIn(message, 'function_call');
    const id = `call_${message.at.replace(/\D/g, '')}`;
    oldCalls.set(textIn(called, 'name'), id);
    blocks.push(calledTool(id, called));
  }
  for (const { block, index } of thoughts(message)) blocks.splice(index, 0, block);
  return blocks;
}

function saidPart(part: Placed): NeutralBlock[] {
  switch (part.fields.type) {
    case 'refusal': {
      const text = textIn(part, 'refusal');
      return text === '' ? [] : [{ type: 'text', text }];
    }
    case 'thinking':
      return [thinkingPart(part)];
    default:
      return textBlocks(part);
  }
}

function toolUse(call: Placed): NeutralBlock {
  const { type } = call.fields;
  if (type !== undefined && type !== null && type !== 'function') {
    throw unsupported(`${call.at}.type`, 'must be function: this model knows no other tools here.');
  }
  return calledTool(textIn(call, 'id'), objectIn(call, 'function'));
}

function calledTool(id: string, called: Placed): NeutralBlock {
  const input = toolInput(called.fields.arguments);
  return withOrigin(called.at, { type: 'tool_use', id, name: textIn(called, 'name'), input });
}
