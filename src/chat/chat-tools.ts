import { inputSchema } from '../contract/input-schema.js';
import { withOrigin } from '../contract/origin.js';
import {
  invalid,
  objectIn,
  objects,
  objectsIn,
  placed,
  type Placed,
  textIn,
  unsupported,
} from '../http/request-fields.js';
import { type Fields, isObject } from '../json/values.js';
import { cacheMark } from './chat-parts.js';

type Tools = readonly Fields[];

/** The tools of a request and how they may be used, in the neutral shape. */
export interface Tooling {
  readonly tools?: Tools;
  readonly tool_choice?: Fields;
}

/**
 * `tools`, `tool_choice` and `parallel_tool_calls`, or `functions` and `function_call`, which came
 * before them. https://platform.openai.com/docs/guides/function-calling
 *
 * @throws GatewayError 400 naming a tool or a choice that has no counterpart.
 */
export function tooling(body: Fields): Tooling {
  const declared = [
    ...objects(body.tools, 'tools').map(declaredTool),
    ...objects(body.functions, 'functions').map((given) => functionTool(given, given.fields)),
    ...searchTool(body),
  ];
  const { only, ...choice } = toolChoice(body);
  const tools = only ? declared.filter(({ name }) => only.has(name)) : declared;
  const isParallel = body.parallel_tool_calls !== false && !isOldStyle(body);
  const bounded = isParallel || choice.type === 'none' ? {} : { disable_parallel_tool_use: true };
  const asked = { type: 'auto', ...choice, ...bounded };
  const isPlain = asked.type === 'auto' && isParallel;
  if (tools.length === 0)
    return ['auto', 'none'].includes(asked.type) ? {} : { tool_choice: asked };
  return { tools, ...(!isPlain && { tool_choice: asked }) };
}

/** Whether the caller knows only functions, one call at a time. */
export function isOldStyle({ tools, functions }: Fields): boolean {
  return Array.isArray(functions) && !Array.isArray(tools);
}

/** Anthropic's own tools are known by their dated types and go on as they are. */
function declaredTool(tool: Placed): Fields {
  const { type } = tool.fields;
  if (typeof type === 'string' && /_\d{8}$/.test(type)) return withOrigin(tool.at, tool.fields);
  if (type !== undefined && type !== null && type !== 'function') {
    throw unsupported(`${tool.at}.type`, 'must be function: this model knows no other tools here.');
  }
  return functionTool(objectIn(tool, 'function'), tool.fields);
}

function functionTool(declared: Placed, { cache_control }: Fields): Fields {
  const { description, parameters, strict } = declared.fields;
  return withOrigin(declared.at, {
    name: textIn(declared, 'name'),
    ...(typeof description === 'string' && { description }),
    input_schema: inputSchema(parameters),
    // Without it nothing is promised on either side.
    ...(strict === true && { strict }),
    ...cacheMark(declared.fields),
    ...cacheMark({ cache_control }),
  });
}

/** Whoever asks for a search gets Anthropic's; how much is read of it has no counterpart. */
function searchTool({ web_search_options: options }: Fields): Fields[] {
  if (options === undefined || options === null) return [];
  const { fields, at } = placed(options, 'web_search_options');
  const near = isObject(fields.user_location) ? fields.user_location.approximate : undefined;
  const user_location = isObject(near) ? { ...near, type: 'approximate' } : undefined;
  const search = { type: 'web_search_20250305', name: 'web_search' };
  return [withOrigin(at, { ...search, ...(user_location && { user_location }) })];
}

type Choice = Fields & { readonly type?: string; readonly only?: ReadonlySet<unknown> };

function toolChoice({ tool_choice: choice, function_call: old }: Fields): Choice {
  if (choice !== undefined && choice !== null) return chosen(choice, 'tool_choice');
  if (old === undefined || old === null) return {};
  if (typeof old === 'string') return chosen(old, 'function_call');
  return { type: 'tool', name: textIn(placed(old, 'function_call'), 'name') };
}

function chosen(choice: unknown, at: string): Choice {
  switch (choice) {
    case 'auto':
    case 'none':
      return { type: choice };
    case 'required':
    case 'any':
      return { type: 'any' };
  }
  if (!isObject(choice)) throw invalid(at, 'must be auto, none, required or an object.');
  const given = { fields: choice, at };
  switch (given.fields.type) {
    case 'function':
      return { type: 'tool', name: textIn(objectIn(given, 'function'), 'name') };
    case 'allowed_tools':
      return allowedTools(objectIn(given, 'allowed_tools'));
    default:
      throw unsupported(`${at}.type`, 'must be function or allowed_tools.');
  }
}

/** The others are not shown at all, which is what keeps the model from them everywhere. */
function allowedTools(allowed: Placed): Choice {
  const names = objectsIn(allowed, 'tools').map((tool) =>
    textIn(objectIn(tool, 'function'), 'name'),
  );
  if (names.length === 0) throw invalid(`${allowed.at}.tools`, 'must name a tool.');
  const type = allowed.fields.mode === 'required' ? 'any' : 'auto';
  return { type, only: new Set(names) };
}
