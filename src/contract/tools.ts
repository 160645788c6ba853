import { type Fields, listOf, membersOf } from '../json/values.js';

/** A tool that a request offers, as its caller wrote it, and where that stands. */
export interface PlacedTool {
  readonly tool: Fields;
  readonly at: string;
}

/**
 * The tools that a conversation's request offers: `tools`, and what items of the input (Responses) or blocks of
 * the turns (Messages) add to them.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/mid-conversation-tool-changes
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

function read({ tools, input, messages }: Fields): readonly PlacedTool[] {
  const added = listOf(input).flatMap((item, index) => {
    const { type, tools: more } = membersOf(item);
    return ADDS_TOOLS.has(type) ? placed(more, `input[${index}].tools`) : [];
  });
  const between = listOf(messages).flatMap((turn, index) =>
    definedIn(membersOf(turn).content, `messages[${index}].content`),
  );
  return [...placed(tools, 'tools'), ...added, ...between];
}

const ADDS_TOOLS: ReadonlySet<unknown> = new Set(['additional_tools', 'tool_search_output']);

/** What blocks add to the tools, and what a summary says that earlier ones had added. */
function definedIn(blocks: unknown, at: string): PlacedTool[] {
  return listOf(blocks).flatMap((block, index) => {
    const { type, tool, tool_changes } = membersOf(block);
    const place = `${at}[${index}]`;
    if (type === 'compaction') return definedIn(tool_changes, `${place}.tool_changes`);
    const { definition } = membersOf(type === 'tool_addition' ? tool : undefined);
    return definition ? [{ tool: membersOf(definition), at: `${place}.tool.definition` }] : [];
  });
}

function placed(tools: unknown, at: string): PlacedTool[] {
  return listOf(tools).map((tool, index) => ({ tool: membersOf(tool), at: `${at}[${index}]` }));
}

/** A choice is a mode, one tool, or some tools with a mode, which each API writes in its own place. */
export function choiceMode(choice: unknown): unknown {
  if (choice === undefined || choice === null) return 'auto';
  if (typeof choice === 'string') return choice;
  const { type, mode, allowed_tools: allowed } = membersOf(choice);
  if (type === 'allowed_tools') return mode ?? membersOf(allowed).mode ?? 'auto';
  return type ?? 'tool';
}
