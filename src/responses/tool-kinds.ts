import { toolInput } from '../contract/tool-input.js';
import { type Fields } from '../json/values.js';

/**
 * A kind of tool that the caller runs itself. To the model each is a function; its calls come back
 * to the caller as the kind's own items.
 * https://platform.openai.com/docs/guides/tools
 */
export interface ToolKind {
  /** The `type` of its calls, and that of their results. */
  readonly call: string;
  readonly result: string;
  /** What the ids of its calls begin with. */
  readonly prefix: string;
  /** The model's name for it, where the tool has none of its own. */
  readonly name?: string;
  readonly description: (tool: Fields) => unknown;
  readonly schema: (tool: Fields) => unknown;
  /** The field of a call's item that grows while the model writes; absent when none does. */
  readonly field?: 'arguments' | 'input';
  /** What the call's item says, made from the arguments as the model wrote them. */
  readonly said: (written: string) => Fields;
  /** The arguments of a call's item, as an object. */
  readonly input: (item: Fields) => unknown;
}

const FUNCTION: ToolKind = {
  call: 'function_call',
  result: 'function_call_output',
  prefix: 'fc',
  description: ({ description }) => description,
  schema: ({ parameters }) => parameters,
  field: 'arguments',
  said: (written) => ({ arguments: written }),
  input: ({ arguments: written }) => toolInput(written),
};

/** Free text has no counterpart, so it is the one string of a function. */
const CUSTOM: ToolKind = {
  call: 'custom_tool_call',
  result: 'custom_tool_call_output',
  prefix: 'ctc',
  description: ({ description, format }) => withGrammar(description, format),
  schema: () => object({ input: { type: 'string' } }, ['input']),
  field: 'input',
  said: (written) => {
    const { input } = toolInput(written) as { input?: unknown };
    return { input: typeof input === 'string' ? input : written };
  },
  input: ({ input }) => ({ input }),
};

const TEXTS = { type: 'array', items: { type: 'string' } };

/** https://platform.openai.com/docs/guides/tools-local-shell */
const LOCAL_SHELL: ToolKind = {
  call: 'local_shell_call',
  result: 'local_shell_call_output',
  prefix: 'lsh',
  name: 'local_shell',
  description: () => 'Runs a command on the user’s machine and returns its output.',
  schema: () =>
    object(
      {
        command: { ...TEXTS, description: 'The program and its arguments.' },
        working_directory: { type: 'string' },
        timeout_ms: { type: 'integer' },
        env: { type: 'object', additionalProperties: { type: 'string' } },
      },
      ['command'],
    ),
  said: (written) => ({ action: { env: {}, ...without(written), type: 'exec' } }),
  input: ({ action }) => without(action, 'type'),
};

/** https://platform.openai.com/docs/guides/tools-shell */
const SHELL: ToolKind = {
  call: 'shell_call',
  result: 'shell_call_output',
  prefix: 'sh',
  name: 'shell',
  description: () => 'Runs shell commands one after another and returns their output.',
  schema: () =>
    object(
      {
        commands: TEXTS,
        timeout_ms: { type: 'integer' },
        max_output_length: { type: 'integer' },
      },
      ['commands'],
    ),
  said: (written) => ({ action: toolInput(written) }),
  input: ({ action }) => without(action),
};

/** https://platform.openai.com/docs/guides/tools-apply-patch */
const APPLY_PATCH: ToolKind = {
  call: 'apply_patch_call',
  result: 'apply_patch_call_output',
  prefix: 'apc',
  name: 'apply_patch',
  description: () =>
    'Creates, updates or deletes one file. `diff` is a V4A diff: lines that stay begin with a space, ' +
    'lines that go with -, lines that come with +, and a line @@ begins each place.',
  schema: () =>
    object(
      {
        type: { type: 'string', enum: ['create_file', 'update_file', 'delete_file'] },
        path: { type: 'string' },
        diff: { type: 'string', description: 'Needed unless the file is deleted.' },
      },
      ['type', 'path'],
    ),
  said: (written) => ({ operation: toolInput(written) }),
  input: ({ operation }) => without(operation),
};

/** A search for further tools that the caller makes; what it finds is on offer from then on. */
const TOOL_SEARCH: ToolKind = {
  call: 'tool_search_call',
  result: 'tool_search_output',
  prefix: 'tsc',
  name: 'tool_search',
  description: ({ description }) => description,
  schema: ({ parameters }) => parameters,
  said: (written) => ({ execution: 'client', arguments: toolInput(written) }),
  input: ({ arguments: given }) => without(given),
};

/** The kinds by the `type` of a tool. */
export const TOOL_KINDS: ReadonlyMap<unknown, ToolKind> = new Map([
  ['function', FUNCTION],
  ['custom', CUSTOM],
  ['local_shell', LOCAL_SHELL],
  ['shell', SHELL],
  ['apply_patch', APPLY_PATCH],
  ['tool_search', TOOL_SEARCH],
]);

/** The kind whose calls, or whose results, are items of this type. */
export function kindOfItem(type: unknown): ToolKind | undefined {
  return [...TOOL_KINDS.values()].find(({ call, result }) => call === type || result === type);
}

/** A call of a tool that was not on offer is one of a function. */
export const UNKNOWN_TOOL = FUNCTION;

function object(properties: object, required: readonly string[]): object {
  return { type: 'object', properties, required, additionalProperties: false };
}

/** The members of an object, or of the JSON of one, but for one of them. */
function without(value: unknown, name = ''): object {
  const members = Object.entries(toolInput(value));
  return Object.fromEntries(members.filter(([key]) => key !== name));
}

function withGrammar(description: unknown, format: unknown): unknown {
  const { type, syntax, definition } = (format ?? {}) as Fields;
  if (type !== 'grammar' || typeof definition !== 'string') return description;
  const kind = typeof syntax === 'string' ? `${syntax} ` : '';
  const rule = `The input must follow this ${kind}grammar:\n${definition}`;
  return typeof description === 'string' ? `${description}\n\n${rule}` : rule;
}
