import { type NeutralRequest } from '../../../contract/neutral.js';
import { tooling } from '../openai-chat/openai-chat-tools.js';
import { callerToolNames } from '../tools-on-offer.js';
import { hash, wireToolName } from '../wire-names.js';

/**
 * A tool's name as Cohere takes it: letters, digits and `_`, no digit first. Another name is cleaned
 * and given a hash of the whole, so that it is the same in every call and different tools stay so.
 * https://docs.cohere.com/v1/reference/chat
 */
export function cohereToolName(name: string): string {
  const wire = wireToolName(name);
  if (/^[A-Za-z_]\w*$/.test(wire)) return wire;
  return `_${wire.replaceAll('-', '_').slice(0, 55)}_${hash(name)}`;
}

/** The caller's names of the tools, by the names that they are sent under. */
export function cohereCallerNames(request: NeutralRequest): ReadonlyMap<string, string> {
  return new Map(
    [...callerToolNames(request).values()].map((name) => [cohereToolName(name), name]),
  );
}

/**
 * `tools`, `tool_choice` and `strict_tools` as far as they are wanted. Cohere cannot be told to call
 * one tool of several, so that one alone is offered then. It has no switch for parallel calls.
 * https://docs.cohere.com/docs/tool-use-overview
 *
 * @throws GatewayError 400 for a tool that runs at Anthropic, and for an unknown choice.
 */
export function cohereTooling(request: NeutralRequest): Record<string, unknown> {
  const { tools, tool_choice: choice } = tooling(request);
  const names = callerToolNames(request);
  const forced = typeof choice === 'object' ? choice.function.name : undefined;
  const offered = tools?.filter(({ function: called }) => called.name === (forced ?? called.name));
  return {
    tools: offered?.map(({ function: { name, description, parameters } }) => ({
      type: 'function',
      function: {
        name: cohereToolName(names.get(name) ?? name),
        ...(description !== undefined && { description }),
        parameters: parameters ?? { type: 'object', properties: {} },
      },
    })),
    strict_tools: tools?.some(({ function: called }) => called.strict === true) || undefined,
    tool_choice: CHOICES.get(forced === undefined ? choice : 'required'),
  };
}

const CHOICES: ReadonlyMap<unknown, string> = new Map([
  ['required', 'REQUIRED'],
  ['none', 'NONE'],
]);
