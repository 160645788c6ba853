import { type Type } from '@nestjs/common';
import { ChatCompletionsBody } from '../chat/dto/chat-completions-body.dto.js';
import { type CheckedBody } from '../contract/checked-body.js';
import { bodyCheck } from '../http/body-check.js';
import { parameterError } from '../http/parameter-error.js';
import { isObject, textOf } from '../json/values.js';
import { AnthropicMessagesBody } from '../messages/dto/anthropic-messages-body.dto.js';
import { ResponsesBody } from '../responses/dto/responses-body.dto.js';
import { stateless } from '../responses/stateless.js';
import { CONVERSATIONS, type Need } from '../routing/choice.js';
import { fieldsOf } from '../validation/dto-metadata.js';
import { type Problem } from '../validation/validation-problem.js';
import { type RuleSettings } from '../validation/value-rule.js';
import { type RouteBody } from './dto/route-body.dto.js';

/** A body as the surface takes it that it is meant for. */
interface Judged {
  readonly body: CheckedBody<RouteBody>;
  readonly need: Need;
}

/** A surface, by its name in `CONVERSATIONS`. */
type Surface = keyof typeof CONVERSATIONS;

/**
 * Compiles what judges a body by the checks of the surface that it is meant for. One that may be meant
 * for a chat or for Messages is of the one that takes it, first of all a chat.
 *
 * @returns throws GatewayError 400 for what the surface refuses before it looks for a model.
 */
export function bodyJudge(limits: RuleSettings): (sent: CheckedBody<RouteBody>) => Judged {
  const checks = {
    messages: bodyCheck(AnthropicMessagesBody, limits).check,
    chat: bodyCheck(ChatCompletionsBody, limits).check,
    responses: bodyCheck(ResponsesBody, limits).check,
  };
  return (sent) => {
    const refused: Problem[] = [];
    for (const surface of surfacesOf(sent.value)) {
      // The check changes what it coerces.
      const value = { ...(sent.value as object) } as RouteBody;
      const { problems, edits } = checks[surface](value);
      const body = { ...sent, value, edits };
      if (surface === 'responses' && problems.length === 0) stateless(body as CheckedBody<never>);
      if (problems.length === 0) return { body, need: CONVERSATIONS[surface] };
      refused.push(...problems);
    }
    const [first] = refused;
    throw first ? parameterError(first) : new Error('A body of no surface');
  };
}

const namesOf = (dto: Type) => fieldsOf(dto).map(({ name }) => name);
const CHAT_FIELDS = namesOf(ChatCompletionsBody).filter(
  (name) => !namesOf(AnthropicMessagesBody).includes(name),
);
const MESSAGES_FIELDS = [
  ...['system', 'stop_sequences', 'output_config', 'output_format', 'mcp_servers', 'container'],
  ...['context_management', 'thread'],
];
const MESSAGES_BLOCKS = new Set([
  ...['image', 'document', 'search_result', 'tool_use', 'tool_result', 'container_upload'],
  ...['thinking', 'redacted_thinking', 'server_tool_use', 'mcp_tool_use'],
]);
/** What Anthropic's own tools brought: `web_search_tool_result` and others. */
const SERVER_RESULT = /_tool_result$/;

function isOfMessages(type: string): boolean {
  return MESSAGES_BLOCKS.has(type) || SERVER_RESULT.test(type);
}

/** The surfaces that a body may be meant for; a conversation without a turn is refused by a chat. */
function surfacesOf(body: RouteBody): readonly Surface[] {
  const { input, messages = [] } = body;
  if ((input ?? null) !== null) return ['responses'];
  const has = (name: string) => (body[name] ?? null) !== null;
  const tools = Array.isArray(body.tools) ? (body.tools as unknown[]) : [];
  const blocks = messages.flatMap(({ content }) =>
    Array.isArray(content) ? (content as unknown[]) : [],
  );
  if (
    MESSAGES_FIELDS.some(has) ||
    tools.some((tool) => isObject(tool) && 'input_schema' in tool) ||
    blocks.some((block) => isObject(block) && isOfMessages(textOf(block.type)))
  ) {
    return ['messages'];
  }
  return messages.length === 0 || CHAT_FIELDS.some(has) ? ['chat'] : ['chat', 'messages'];
}
