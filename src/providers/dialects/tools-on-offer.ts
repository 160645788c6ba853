import { type NeutralBlock, type NeutralRequest } from '../../contract/neutral.js';
import { isObject, textOf } from '../../json/values.js';
import {
  objectOf,
  type Placed,
  placed,
  stringOf,
  unknownType,
  untranslatable,
} from './placed-blocks.js';
import { wireToolName } from './wire-names.js';

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
  const declaredAs = Map.groupBy(declared, nameOf);
  // What is offered at once is withdrawn at once, so that no change takes longer for many tools of a name.
  const offered = new Set<Offer>();
  const offeredAs = new Map<unknown, Offer[]>();
  const offer = (name: unknown, tools: Offer): void => {
    offered.add(tools);
    const namesakes = offeredAs.get(name);
    if (namesakes) namesakes.push(tools);
    else offeredAs.set(name, [tools]);
  };
  for (const tool of declared) offer(nameOf(tool), [tool]);
  for (const { change, tool } of toolChanges(request)) {
    const { type, name } = tool.block;
    if (type === 'tool_definition' && change === 'tool_addition') {
      const added = objectOf(tool, 'definition');
      offer(nameOf(added), [added]);
    } else if (type !== 'tool_reference') {
      throw unknownType(tool);
    } else if (change === 'tool_removal') {
      for (const withdrawn of offeredAs.get(name) ?? []) offered.delete(withdrawn);
      offeredAs.delete(name);
    } else if (!offeredAs.has(name)) {
      const again = declaredAs.get(name);
      if (again) offer(name, again);
    }
  }
  return [...offered].flat().map(withoutNulls);
}

/**
 * Those of them that another model than Claude is told of: it needs no search for what is on offer already.
 *
 * @throws GatewayError 400 when the search is what has to be called.
 */
export function toolsTold(request: NeutralRequest): Placed[] {
  const offered = toolsOnOffer(request);
  const told = offered.filter(({ block }) => !isToolSearch(block));
  const { type, name } = request.tool_choice ?? {};
  const isDemanded = (tool: Placed): boolean =>
    type === 'tool' ? nameOf(tool) === name : type === 'any' && told.length === 0;
  if (offered.some((tool) => isToolSearch(tool.block) && isDemanded(tool)))
    throw untranslatable('tool_choice', 'tools are searched for by Anthropic only.');
  return told;
}

/**
 * Whether it is Anthropic's search for tools: the tool itself, a call of it, or what it found.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool
 */
export function isToolSearch({ type, name }: NeutralBlock): boolean {
  return textOf(type === 'server_tool_use' ? name : type).startsWith('tool_search_tool_');
}

/** No arguments, and none that are required, are null in Anthropic's SDKs; a schema has no such members. */
function withoutNulls(tool: Placed): Placed {
  const { input_schema: given } = tool.block;
  if (!isObject(given) || (given.properties !== null && given.required !== null)) return tool;
  const said = Object.entries(given).filter(
    ([name, value]) => value !== null || !(name === 'properties' || name === 'required'),
  );
  return { ...tool, block: { ...tool.block, input_schema: Object.fromEntries(said) } };
}

/** Tools of one name. */
type Offer = readonly Placed[];

function nameOf({ block }: Placed): unknown {
  return block.name;
}

/**
 * Whether a block of a system turn says nothing and changes the tools on offer.
 * https://docs.anthropic.com/en/api/messages: `mid-conversation-tool-changes`
 */
export function isToolChange({ type }: { readonly type?: unknown }): boolean {
  return type === 'tool_addition' || type === 'tool_removal';
}

function toolChanges({ messages }: NeutralRequest): { change: string; tool: Placed }[] {
  return messages.flatMap(({ role, content }, index) =>
    role === 'system'
      ? placed(content, `messages[${index}].content`)
          .filter(({ block }) => isToolChange(block))
          .map((place) => ({ change: place.block.type, tool: objectOf(place, 'tool') }))
      : [],
  );
}
