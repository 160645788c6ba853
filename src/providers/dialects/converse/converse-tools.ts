import { type NeutralRequest } from '../../../contract/neutral.js';
import { type CallContext } from '../../provider.js';
import { namesNova } from './bedrock-model.js';
import { cachePoint, cachesTools } from './converse-cache.js';
import { NovaSchemas } from './nova-schema.js';
import { type ChatTool, type ToolChoice, tooling } from '../openai-chat/openai-chat-tools.js';
import { wireToolName } from '../wire-names.js';

/**
 * `toolConfig`; undefined when no tool is on offer. Converse cannot forbid the use of tools, so for
 * `tool_choice: none` none is offered. `auto` is what it does unasked; not every model takes it said.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolConfiguration.html
 *
 * @throws GatewayError 400 for a tool that runs at Anthropic, and for an unknown choice.
 */
export function toolConfig({ request, model }: CallContext<'messages'>): object | undefined {
  const { tools, tool_choice: choice } = tooling(request);
  if (!tools || choice === 'none') return undefined;
  const marks = cachesTools(model) ? cacheMarks(request) : new Map<string, unknown>();
  const novas = namesNova(model.name) ? new NovaSchemas() : undefined;
  return {
    tools: tools.flatMap((tool) => [
      { toolSpec: toolSpec(tool, novas) },
      ...cachePoint(model, marks.get(tool.function.name)),
    ]),
    ...(choice !== undefined && choice !== 'auto' && { toolChoice: toolChoice(choice) }),
  };
}

/** The `cache_control` of the tools, by the names that they are sent under. */
function cacheMarks({ tools }: NeutralRequest): ReadonlyMap<string, unknown> {
  return new Map(
    (tools ?? []).map((tool) => [wireToolName(String(tool.name)), tool.cache_control]),
  );
}

function toolSpec(
  { function: { name, description, parameters, strict } }: ChatTool,
  novas: NovaSchemas | undefined,
): object {
  const json = parameters ?? { type: 'object', properties: {} };
  return {
    name,
    // An empty one is refused.
    ...(Boolean(description) && { description }),
    inputSchema: { json: novas?.of(json) ?? json },
    // Strictness is part of structured outputs, which Nova does not have.
    ...(strict === true && !novas && { strict }),
  };
}

function toolChoice(choice: ToolChoice): object {
  return typeof choice === 'string' ? { any: {} } : { tool: { name: choice.function.name } };
}
