import { randomUUID } from 'node:crypto';
import { type Fields, isObject, listOf } from '../json/values.js';
import { frame, type SandboxEndpoint } from './answer.js';
import { Refusal } from './refusal.js';
import { contentText, type Draft, echo, type Reply, replyWith, toolCall } from './reply.js';
import { instanceOf } from './schema-instance.js';
import { countTokens, piecesOf } from './tokens.js';

const STOP_REASONS = {
  complete: 'end_turn',
  stopped: 'stop_sequence',
  length: 'max_tokens',
  tool: 'tool_use',
} as const;

/** Anthropic's Messages API. https://docs.anthropic.com/en/api/messages */
export const messages: SandboxEndpoint = ({ body }) => {
  const reply = replyWith(draftFor(body), {
    maxTokens: ['max_tokens', body.max_tokens],
    stops: ['stop_sequences', body.stop_sequences],
    choices: 1,
  });
  const message = messageOf(body, reply);
  return body.stream === true ? { frames: framesOf(message, reply) } : { json: message };
};

/** Anthropic's token counting. https://docs.anthropic.com/en/api/messages-count-tokens */
export const countMessageTokens: SandboxEndpoint = ({ body }) => ({
  json: { input_tokens: inputTokens(body) },
});

function draftFor(body: Fields): Draft {
  const tool = forcedTool(body);
  if (tool) return toolCall(String(tool.name), tool.input_schema);
  const config = isObject(body.output_config) ? body.output_config : body;
  const format = config.format ?? body.output_format;
  if (isObject(format) && format.type === 'json_schema') {
    return { text: JSON.stringify(instanceOf(format.schema)) };
  }
  const turns = turnsOf(body).filter((turn) => turn.role === 'user');
  return { text: echo(contentText(turns.at(-1)?.content)) };
}

function forcedTool(body: Fields): Fields | undefined {
  const choice = isObject(body.tool_choice) ? body.tool_choice : {};
  const tools = listOf(body.tools).filter(isObject);
  if (choice.type !== 'tool') return choice.type === 'any' ? tools[0] : undefined;
  const tool = tools.find(({ name }) => name === choice.name);
  if (tool) return tool;
  throw new Refusal(400, `tool_choice: no tool is named '${String(choice.name)}'.`);
}

function turnsOf(body: Fields): readonly Fields[] {
  if (Array.isArray(body.messages)) return body.messages.filter(isObject);
  throw new Refusal(400, 'messages: Field required');
}

function inputTokens(body: Fields): number {
  return countTokens(
    contentText(body.system),
    ...turnsOf(body).map((turn) => contentText(turn.content)),
    ...listOf(body.tools).map((tool) => JSON.stringify(tool)),
  );
}

function messageOf(body: Fields, reply: Reply) {
  return {
    id: `msg_${randomUUID().replaceAll('-', '')}`,
    type: 'message',
    role: 'assistant',
    model: body.model,
    content: [blockOf(reply)],
    stop_reason: STOP_REASONS[reply.end],
    stop_sequence: reply.stopSequence,
    usage: {
      input_tokens: inputTokens(body),
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: reply.tokens,
      service_tier: 'standard',
    },
  };
}

function blockOf({ tool, text, end }: Reply) {
  if (tool === undefined) return { type: 'text', text };
  // Arguments that were cut off are no JSON, and an input is always an object.
  const input = end === 'tool' ? (JSON.parse(text) as object) : {};
  return { type: 'tool_use', id: `toolu_${randomUUID().replaceAll('-', '')}`, name: tool, input };
}

/** https://docs.anthropic.com/en/docs/build-with-claude/streaming */
function* framesOf(message: ReturnType<typeof messageOf>, reply: Reply): Generator<string> {
  const event = (type: string, rest: object = {}) => frame({ type, ...rest }, type);
  const { content, stop_reason, stop_sequence, usage } = message;
  yield event('message_start', {
    message: {
      ...message,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...usage, output_tokens: 1 },
    },
  });
  const isTool = reply.tool !== undefined;
  const empty = isTool ? { input: {} } : { text: '' };
  yield event('content_block_start', { index: 0, content_block: { ...content[0], ...empty } });
  yield event('ping');
  for (const piece of isTool && reply.end !== 'tool' ? [] : piecesOf(reply.text)) {
    const delta = isTool
      ? { type: 'input_json_delta', partial_json: piece }
      : { type: 'text_delta', text: piece };
    yield event('content_block_delta', { index: 0, delta });
  }
  yield event('content_block_stop', { index: 0 });
  yield event('message_delta', { delta: { stop_reason, stop_sequence }, usage });
  yield event('message_stop');
}
