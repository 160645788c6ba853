import { type NeutralBlock, type NeutralRequest } from '../../../contract/neutral.js';
import {
  type Fields,
  isObject,
  isText,
  listOf,
  membersOf,
  parsedObject,
} from '../../../json/values.js';
import { type CallContext, type ServerEvent } from '../../provider.js';
import { isClaude } from './anthropic-proofs.js';
import { withoutUnion } from '../merged-schema.js';
import { wireToolName } from '../wire-names.js';

/** What a tool is called on the other side, and those of its arguments that have another name there. */
interface Spelled {
  readonly name: string;
  readonly fields: ReadonlyMap<string, string>;
}

type Asked = Pick<CallContext<'messages'>, 'request' | 'model'>;

/** The request with names that Claude takes, in its conversation too; the same one where it takes all. */
export function spelledForClaude({ request, model }: Asked): NeutralRequest {
  const known = isClaude(model) ? respelled(request) : new Map<string, Spelled>();
  if (known.size === 0) return request;
  const { tools, tool_choice: choice, messages } = request;
  const chosen = membersOf(choice).name;
  return {
    ...request,
    tools: (tools ?? []).map((tool) => spelledTool(tool, known.get(String(tool.name)))),
    ...(isText(chosen) && {
      tool_choice: { ...membersOf(choice), name: known.get(chosen)?.name ?? chosen },
    }),
    messages: messages.map((turn) =>
      typeof turn.content === 'string'
        ? turn
        : { ...turn, content: turn.content.map((block) => spelledCall(block, known)) },
    ),
  };
}

/** The calls of an answer under the caller's own names. */
export function callersCalls(
  content: readonly NeutralBlock[],
  call: Asked,
): readonly NeutralBlock[] {
  const called = callersNames(call);
  if (called.size === 0) return content;
  return content.map((block) => {
    const tool = block.type === 'tool_use' ? called.get(block.name) : undefined;
    return tool ? { ...block, name: tool.name, input: renamed(block.input, tool.fields) } : block;
  });
}

/** The same of a stream, in which arguments that have other names there come when they are whole. */
export function callersEvents(
  events: AsyncIterable<ServerEvent>,
  call: Asked,
): AsyncIterable<ServerEvent> {
  const called = callersNames(call);
  return called.size === 0 ? events : withCallersNames(events, called);
}

async function* withCallersNames(
  events: AsyncIterable<ServerEvent>,
  called: ReadonlyMap<unknown, Spelled>,
): AsyncGenerator<ServerEvent> {
  let open: { readonly fields: Spelled['fields']; written: string } | undefined;
  for await (const event of events) {
    const told = parsedObject(event.data);
    const { name, type } = membersOf(told?.content_block);
    const tool = type === 'tool_use' ? called.get(name) : undefined;
    const written = membersOf(told?.delta).partial_json;
    if (tool) {
      open = tool.fields.size > 0 ? { fields: tool.fields, written: '' } : undefined;
      const block = { ...membersOf(told?.content_block), name: tool.name };
      yield { ...event, data: JSON.stringify({ ...told, content_block: block }) };
    } else if (open && isText(written)) {
      open.written += written;
    } else {
      if (open && told?.type === 'content_block_stop') {
        const delta = { type: 'input_json_delta', partial_json: renamedIn(open) };
        const data = JSON.stringify({ type: 'content_block_delta', index: told.index, delta });
        yield { name: 'content_block_delta', data };
        open = undefined;
      }
      yield event;
    }
  }
}

/** https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use */
const NAME = /^[\w-]{1,128}$/;
/** "Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'" */
const FIELD = /^[\w.-]{1,64}$/;

/** The tools of the caller's own of which Claude refuses a name, by the caller's names. */
function respelled({ tools = [] }: NeutralRequest): ReadonlyMap<string, Spelled> {
  return new Map(
    tools.flatMap(({ type, name, input_schema: schema }) => {
      if (!isText(name) || (type ?? 'custom') !== 'custom') return [];
      const names = Object.keys(membersOf(membersOf(withoutUnion(schema)).properties));
      const refused = names.filter((field) => !FIELD.test(field));
      if (refused.length === 0 && NAME.test(name)) return [];
      const fields = new Map(refused.map((field) => [field, wireToolName(field)]));
      return [[name, { name: NAME.test(name) ? name : wireToolName(name), fields }]];
    }),
  );
}

/** The names of the same tools for the caller, by those that Claude was told. */
function callersNames({ request, model }: Asked): ReadonlyMap<unknown, Spelled> {
  if (!isClaude(model)) return new Map();
  return new Map(
    [...respelled(request)].map(([name, sent]) => {
      const fields = new Map([...sent.fields].map(([own, other]) => [other, own]));
      return [sent.name, { name, fields }];
    }),
  );
}

function spelledTool(tool: Fields, spelled: Spelled | undefined): Fields {
  if (!spelled) return tool;
  const { name, fields } = spelled;
  if (fields.size === 0) return { ...tool, name };
  const schema = membersOf(withoutUnion(tool.input_schema));
  const properties = renamed(schema.properties, fields);
  const required = listOf(schema.required).map((one) => fields.get(String(one)) ?? one);
  return {
    ...tool,
    name,
    input_schema: { ...schema, properties, ...(required.length > 0 && { required }) },
  };
}

function spelledCall(block: NeutralBlock, known: ReadonlyMap<string, Spelled>): NeutralBlock {
  if (block.type !== 'tool_use' || !isText(block.name)) return block;
  const spelled = known.get(block.name);
  if (!spelled) return block;
  return { ...block, name: spelled.name, input: renamed(block.input, spelled.fields) };
}

function renamed(members: unknown, names: ReadonlyMap<string, string>): unknown {
  if (!isObject(members) || names.size === 0) return members;
  const entries = Object.entries(members);
  return Object.fromEntries(entries.map(([name, value]) => [names.get(name) ?? name, value]));
}

/** In the text itself, which may have ended early, and whose numbers may be longer than ours. */
function renamedIn({ fields, written }: { fields: Spelled['fields']; written: string }): string {
  return written.replace(/"([\w-]{1,64})"(?=\s*:)/g, (key, name: string) => {
    const own = fields.get(name);
    return own === undefined ? key : JSON.stringify(own);
  });
}
