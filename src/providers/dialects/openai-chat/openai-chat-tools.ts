import { type NeutralRequest } from '../../../contract/neutral.js';
import { type Placed, stringOf, untranslatable } from '../placed-blocks.js';
import { fitsStrict } from '../strict-schema.js';
import { toolsTold } from '../tools-on-offer.js';
import { wholeFunction, withProperties } from '../whole-schema.js';
import { wireToolName } from '../wire-names.js';

/**
 * `tools`, `tool_choice` and `parallel_tool_calls` of a chat completions request, as far as they are
 * wanted. https://platform.openai.com/docs/guides/function-calling
 *
 * @throws GatewayError 400 for a tool that runs at Anthropic, and for an unknown choice.
 */
export function tooling(request: NeutralRequest): Tooling {
  const tools = toolsTold(request).map(chatTool);
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

/**
 * The same for OpenAI, which refuses a strict function that may be called without one of its arguments. To
 * Anthropic that is nothing unusual, so it is offered without the promise.
 * https://platform.openai.com/docs/guides/function-calling#strict-mode
 *
 * @throws GatewayError 400 as `tooling` does.
 */
export function openaiTooling(request: NeutralRequest): Tooling {
  const { tools, ...rest } = tooling(request);
  return { tools: tools?.map(suited), ...rest };
}

function suited(tool: ChatTool): ChatTool {
  const called = wholeFunction(tool.function);
  const isLax = called.strict === true && !fitsStrict(called.parameters);
  return { ...tool, function: isLax ? { ...called, strict: false } : called };
}

/** The same, where no tool can be named that has to be called. */
export function withForcedAlone(tooling: Tooling): Tooling {
  const { tools, tool_choice: choice } = tooling;
  if (typeof choice !== 'object') return tooling;
  const alone = tools?.filter((tool) => tool.function.name === choice.function.name);
  return { ...tooling, tools: alone, tool_choice: 'required' };
}

/** The tools of a request and how they are to be called, in the words of chat completions. */
export interface Tooling {
  readonly tools?: readonly ChatTool[] | undefined;
  readonly tool_choice?: ToolChoice | undefined;
  readonly parallel_tool_calls?: false | undefined;
}

/** Which tool is to be called. */
export type ToolChoice =
  | 'auto'
  | 'none'
  | 'required'
  | { readonly type: 'function'; readonly function: { readonly name: string } };

/** A function that may be called. */
export interface ChatTool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description?: unknown;
    readonly parameters?: object;
    readonly strict?: unknown;
  };
}

function chatTool(tool: Placed): ChatTool {
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

function toolChoice({ type, name }: Readonly<Record<string, unknown>>): ToolChoice {
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
