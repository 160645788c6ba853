import { type NeutralBlock } from '../../contract/neutral.js';
import { toolInput } from '../../contract/tool-input.js';
import { isText } from '../../json/values.js';
import { type CallContext } from '../provider.js';
import { brokenAnswer } from './broken-answer.js';
import { callerToolNames } from './tools-on-offer.js';
import { shortened } from './wire-names.js';

/** A call of a tool as an answer tells it; nothing of it is certain. */
interface CalledTool {
  readonly id?: string | null | undefined;
  readonly name: unknown;
  /** A JSON text or what it says. */
  readonly input: unknown;
}

/**
 * Makes the `tool_use` blocks of one answer, under the caller's names of the tools.
 *
 * @param names the caller's names by those that were sent.
 */
export function toolUses(
  call: CallContext<'messages'>,
  names: ReadonlyMap<string, string> = callerToolNames(call.request),
): (called: CalledTool) => NeutralBlock {
  const toolId = toolIds(call);
  return ({ id, name: given, input }) => {
    const sent = toolName(given);
    const name = names.get(sent) ?? sent;
    return { type: 'tool_use', id: toolId(id), name, input: toolInput(input) };
  };
}

/** The provider's own ids; one that is missing or there twice is made from the call's id. */
export function toolIds(call: CallContext<'messages'>): (given?: string | null) => string {
  const taken = new Set<string>();
  return (given) => {
    // It comes back in the next turn, where OpenAI takes 40 characters.
    const id = given && !taken.has(given) ? given : shortened(`toolu_${taken.size}_${call.id}`, 40);
    taken.add(id);
    return id;
  };
}

/** @throws GatewayError 502 when there is no name to call the tool by. */
export function toolName(name: unknown): string {
  if (isText(name)) return name;
  throw brokenAnswer('The provider called a tool without a name.');
}
