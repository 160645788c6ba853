import { invalid, objects, unsupported } from '../http/request-fields.js';
import { type Fields, isObject } from '../json/values.js';
import { modelName, neutralTools, type OfferedTool, type OfferedTools } from './offered-tools.js';

type Offer = readonly [string, OfferedTool];

/**
 * `tools` and `tool_choice` of the neutral shape, as far as they are wanted.
 *
 * @throws GatewayError 400 when a tool is forced that this model cannot be offered.
 */
export function tooling(body: Fields, offered: OfferedTools): Fields {
  const { tools, choice } = chosen(body.tool_choice ?? 'auto', offered);
  if (tools.length === 0) return {};
  const serial = body.parallel_tool_calls === false && choice.type !== 'none';
  return {
    tools: neutralTools(new Map(tools)),
    ...((choice.type !== 'auto' || serial) && {
      tool_choice: { ...choice, ...(serial && { disable_parallel_tool_use: true }) },
    }),
  };
}

interface Chosen {
  readonly tools: readonly Offer[];
  readonly choice: { readonly type: string; readonly name?: string };
}

function chosen(choice: unknown, offered: OfferedTools): Chosen {
  const tools = [...offered];
  if (typeof choice === 'string') return { tools, choice: mode(choice, tools, 'tool_choice') };
  if (!isObject(choice)) throw invalid('tool_choice', 'must be a string or an object.');
  const { type, tools: allowed, mode: wanted } = choice;
  if (type !== 'allowed_tools') {
    const meant = meaningOf(choice);
    const found = tools.find((offer) => namesOf(offer).includes(meant));
    if (found) return { tools, choice: { type: 'tool', name: found[0] } };
    throw unsupported('tool_choice', 'names no tool that this model is offered.');
  }
  const named = new Set(
    objects(allowed, 'tool_choice.tools').map(({ fields }) => meaningOf(fields)),
  );
  const kept = tools.filter((offer) => namesOf(offer).some((name) => named.has(name)));
  return { tools: kept, choice: mode(wanted ?? 'auto', kept, 'tool_choice.mode') };
}

function mode(wanted: unknown, tools: readonly Offer[], param: string): { type: string } {
  const type = MODES.get(wanted);
  if (!type) throw invalid(param, 'must be auto, required or none.');
  if (type === 'any' && tools.length === 0) {
    throw unsupported(param, 'there is no tool that this model is offered.');
  }
  return { type };
}

const MODES: ReadonlyMap<unknown, string> = new Map([
  ['auto', 'auto'],
  ['required', 'any'],
  ['none', 'none'],
]);

/** What a choice such as `{type: "function", name}` or `{type: "shell"}` means, as `namesOf` a tool has it. */
function meaningOf({ type, name, namespace }: Fields): string {
  if (type === 'namespace') return JSON.stringify(['namespace', name ?? null]);
  if (typeof name !== 'string') return JSON.stringify([type]);
  if (typeof namespace !== 'string') return JSON.stringify([type, name]);
  return JSON.stringify([type, NAMED_BY_MODEL, modelName({ name, namespace })]);
}

function namesOf([name, { type, kind, namespace, name: own }]: Offer): readonly string[] {
  return [
    ['namespace', namespace ?? null],
    ...(kind.name === undefined ? [] : [[type]]),
    [type, own],
    [type, NAMED_BY_MODEL, name],
  ].map((names) => JSON.stringify(names));
}

const NAMED_BY_MODEL = 0;
