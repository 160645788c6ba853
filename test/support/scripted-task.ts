import { type Script } from './scripted-upstream.js';
import { type OfferedTool, type Said, type Turn } from './scripted-upstream-wire.js';

/**
 * A model at work: it writes a file, reads it back, and tells what it read, by whichever tools it is
 * offered. A request without tools (a title, a summary) gets a word.
 */
export function fileTask(path: string, text: string): Script {
  return ({ tools, results }: Turn): readonly Said[] => {
    if (tools.length === 0) return [{ text: 'A file' }];
    if (results.length === 0) {
      const said = [{ thinking: 'It wants a file.' }, { text: 'I write it. ' }];
      return [...said, writing(tools, path, text)];
    }
    if (results.length === 1) return [reading(tools, path)];
    return [{ text: `The file says: ${results.at(-1)?.text ?? ''}` }];
  };
}

function writing(tools: readonly OfferedTool[], path: string, text: string): Said {
  const write = tools.find((tool) => pathField(tool) && has(tool, 'content'));
  if (write) return call(write, { [pathField(write)!]: path, content: text });
  return shell(tools, `printf %s ${quoted(text)} > ${quoted(path)}`);
}

function reading(tools: readonly OfferedTool[], path: string): Said {
  const read = tools.find((tool) => /^read/i.test(tool.name) && pathField(tool));
  return read ? call(read, { [pathField(read)!]: path }) : shell(tools, `cat ${quoted(path)}`);
}

function shell(tools: readonly OfferedTool[], line: string): Said {
  const tool = tools.find((each) => has(each, 'command') || has(each, 'cmd'));
  if (!tool) throw new Error(`no tool fits: ${tools.map(({ name }) => name).join(', ')}`);
  const field = has(tool, 'command') ? 'command' : 'cmd';
  const { type } = tool.schema.properties?.[field] as { type?: string };
  return call(tool, { [field]: type === 'array' ? ['bash', '-c', line] : line });
}

/** A call with a word for every other field that the tool requires. */
function call({ name, schema }: OfferedTool, input: Record<string, unknown>): Said {
  const missing = (schema.required ?? []).filter((field) => !(field in input));
  return {
    tool: name,
    input: { ...Object.fromEntries(missing.map((field) => [field, 'x'])), ...input },
  };
}

function pathField(tool: OfferedTool): string | undefined {
  return ['file_path', 'filePath', 'path'].find((field) => has(tool, field));
}

function has({ schema }: OfferedTool, field: string): boolean {
  return schema.properties?.[field] !== undefined;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
