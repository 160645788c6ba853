import { inputSchema } from '../contract/input-schema.js';
import { isHosted } from '../contract/hosted-tool.js';
import { withOrigin } from '../contract/origin.js';
import { invalid, objects } from '../http/request-fields.js';
import { type Fields, isObject, textOf } from '../json/values.js';
import { wireToolName } from '../providers/dialects/wire-names.js';
import { TOOL_KINDS, type ToolKind } from './tool-kinds.js';
import { unknownType } from './unknown-type.js';

/** A tool that the model is offered. */
export interface OfferedTool {
  readonly kind: ToolKind;
  /** The caller's names for it. */
  readonly name: string;
  readonly namespace: string | undefined;
  /** The `type` that the caller gave it. */
  readonly type: string;
  readonly definition: Fields;
  /** Where it stands in the request. */
  readonly at: string;
}

/** The tools by the names that the model calls them. */
export type OfferedTools = ReadonlyMap<string, OfferedTool>;

/**
 * Everything that the model may call: `tools`, and what items of the conversation added. A namespace
 * is dissolved into its tools. What the provider itself would run (`web_search`, `file_search`,
 * `mcp`, …) is left out: agents offer it to every model, whether it can or not.
 *
 * @throws GatewayError 400 naming a tool of an unknown type, without a name, or offered twice.
 */
export function offeredTools({ tools, input }: Fields): OfferedTools {
  const offered = new Map<string, OfferedTool>();
  for (const tool of flattened(tools, 'tools')) {
    const name = modelName(tool);
    if (offered.has(name)) throw invalid(tool.at, `the tool '${name}' is there twice.`);
    offered.set(name, tool);
  }
  for (const { fields: item, at } of Array.isArray(input) ? objects(input, 'input') : []) {
    if (item.type !== 'additional_tools' && item.type !== 'tool_search_output') continue;
    // A search may well find what is on offer already.
    for (const tool of flattened(item.tools, `${at}.tools`)) {
      const name = modelName(tool);
      if (!offered.has(name)) offered.set(name, tool);
    }
  }
  return offered;
}

/**
 * One name for a tool and its namespace, which every provider takes. `functions` is what a tool
 * without a namespace belongs to.
 */
export function modelName({ name, namespace }: Pick<OfferedTool, 'name' | 'namespace'>): string {
  const plain = namespace === undefined || namespace === 'functions';
  return wireToolName(plain ? name : `${namespace}__${name}`);
}

/** The tools in the neutral shape. */
export function neutralTools(offered: OfferedTools): Readonly<Record<string, unknown>>[] {
  return [...offered].map(([name, { kind, definition, at }]) => {
    const description = kind.description(definition);
    return withOrigin(at, {
      name,
      ...(typeof description === 'string' && { description }),
      input_schema: inputSchema(kind.schema(definition)),
      // What OpenAI promises for `strict: false` is what all others promise.
      ...(definition.strict === true && { strict: true }),
      ...(definition.cache_control != null && { cache_control: definition.cache_control }),
    });
  });
}

/** It is in the name of each of its tools, of which 64 are left for the provider. */
const LONGEST_NAMESPACE = 256;

function flattened(tools: unknown, at: string, namespace?: string): OfferedTool[] {
  return objects(tools, at).flatMap((tool) => {
    const { fields: definition, at: place } = tool;
    const { type } = definition;
    if (isHosted(definition)) return [];
    const kind = TOOL_KINDS.get(type);
    if (type !== 'namespace' && !kind) throw unknownType(tool);
    const name = textOf(definition.name ?? kind?.name);
    if (name === '') throw invalid(`${place}.name`, 'must be a string.');
    if (!kind) {
      if (name.length > LONGEST_NAMESPACE) {
        throw invalid(`${place}.name`, `must have at most ${LONGEST_NAMESPACE} characters.`);
      }
      return flattened(definition.tools, `${place}.tools`, name);
    }
    if ((definition.parameters ?? null) !== null && !isObject(definition.parameters)) {
      throw invalid(`${place}.parameters`, 'must be an object.');
    }
    return [{ kind, name, namespace, type: textOf(type), definition, at: place }];
  });
}
