import { type NeutralBlock, type NeutralRequest } from '../../contract/neutral.js';
import {
  objectOf,
  type Placed,
  placed,
  stringOf,
  unknownType,
  untranslatable,
} from './openai-chat-blocks.js';
import { wireToolName } from './openai-chat-names.js';

/**
 * `tools`, `tool_choice` and `parallel_tool_calls` of a chat completions request, as far as they are
 * wanted. https://platform.openai.com/docs/guides/function-calling
 *
 * @throws GatewayError 400 for a tool that runs at Anthropic, and for an unknown choice.
 */
export function tooling(request: NeutralRequest): Record<string, unknown> {
  const tools = toolsOnOffer(request).map(chatTool);
  const choice = request.tool_choice;
  // Without tools OpenAI refuses these fields, even where they say nothing.
  if (tools.length === 0 && (!choice || choice.type === 'auto' || choice.type === 'none'))
    return {};
  return {
    tools: tools.length > 0 ? tools : undefined,
    tool_choice: choice && toolChoice(choice),
    parallel_tool_calls: choice?.disable_parallel_tool_use === true ? false : undefined,
  };
}

/** The caller's names of the tools, by the names that they are sent under. */
export function callerToolNames(request: NeutralRequest): ReadonlyMap<string, string> {
  const names = toolsOnOffer(request).map((tool) => stringOf(tool, 'name'));
  return new Map(names.map((name) => [wireToolName(name), name]));
}

/**
 * The tools of the request, less those that a system turn withdrew and with those that one added. A
 * tool whose loading is deferred is on offer from the start: there is no later here.
 */
export function toolsOnOffer(request: NeutralRequest): Placed[] {
  const declared = placed((request.tools ?? []) as readonly NeutralBlock[], 'tools');
  let offered = declared;
  for (const { change, tool } of toolChanges(request)) {
    const { type, name } = tool.block;
    if (type === 'tool_definition' && change === 'tool_addition') {
      offered = [...offered, objectOf(tool, 'definition')];
    } else if (type !== 'tool_reference') {
      throw unknownType(tool);
    } else if (change === 'tool_removal') {
      offered = offered.filter(({ block }) => block.name !== name);
    } else if (!offered.some(({ block }) => block.name === name)) {
      offered = [...offered, ...declared.filter(({ block }) => block.name === name)];
    }
  }
  return offered;
}

/** https://docs.anthropic.com/en/api/messages: `mid-conversation-tool-changes` */
function toolChanges({ messages }: NeutralRequest): { change: string; tool: Placed }[] {
  return messages.flatMap(({ role, content }, index) =>
    placed(content, `messages[${index}].content`)
      .filter(({ block }) => role === 'system' && /^tool_(addition|removal)$/.test(block.type))
      .map((place) => ({ change: place.block.type, tool: objectOf(place, 'tool') })),
  );
}

function chatTool(tool: Placed): object {
  const {
    type,
    name,
    description,
    input_schema: schema,
    strict,
  } = tool.block as Partial<Record<string, unknown>>;
  if (type !== undefined && type !== null && type !== 'custom') {
    const reason = `the tool ${JSON.stringify(name ?? type)} is known to Anthropic only.`;
    throw untranslatable(`${tool.at}.type`, reason);
  }
  return {
    type: 'function',
    function: {
      name: wireToolName(stringOf(tool, 'name')),
      ...(description != null && { description }),
      ...(schema != null && { parameters: withProperties(schema) }),
      ...(strict != null && { strict }),
    },
  };
}

/** OpenAI refuses an object schema that does not say that it has no properties. */
function withProperties(schema: object): object {
  const { type, properties } = schema as { type?: unknown; properties?: unknown };
  return type === 'object' && properties == null ? { ...schema, properties: {} } : schema;
}

function toolChoice({ type, name }: Readonly<Record<string, unknown>>): unknown {
  switch (type) {
    case 'auto':
    case 'none':
      return type;
    case 'any':
      return 'required';
    case 'tool':
      if (typeof name !== 'string') throw untranslatable('tool_choice.name', 'must be a string.');
      return { type: 'function', function: { name: wireToolName(name) } };
    default:
      throw untranslatable('tool_choice.type', 'must be auto, any, tool or none.');
  }
}
