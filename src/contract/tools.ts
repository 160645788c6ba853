import { type Fields, listOf, membersOf } from '../json/values.js';

/** A tool that a request offers, as its caller wrote it, and where that stands. */
export interface PlacedTool {
  readonly tool: Fields;
  readonly at: string;
}

/**
 * The tools that a conversation's request offers: `tools`, and of Responses what items of the input add to them.
 *
 * @param body in whichever format.
 */
export function toolsIn(body: object): readonly PlacedTool[] {
  const found = known.get(body) ?? read(membersOf(body));
  known.set(body, found);
  return found;
}

/** Asked for with each model that a request may go to. */
const known = new WeakMap<object, readonly PlacedTool[]>();

function read({ tools, input }: Fields): readonly PlacedTool[] {
  const added = listOf(input).flatMap((item, index) => {
    const { type, tools: more } = membersOf(item);
    return ADDS_TOOLS.has(type) ? placed(more, `input[${index}].tools`) : [];
  });
  return [...placed(tools, 'tools'), ...added];
}

const ADDS_TOOLS: ReadonlySet<unknown> = new Set(['additional_tools', 'tool_search_output']);

function placed(tools: unknown, at: string): PlacedTool[] {
  return listOf(tools).map((tool, index) => ({ tool: membersOf(tool), at: `${at}[${index}]` }));
}
