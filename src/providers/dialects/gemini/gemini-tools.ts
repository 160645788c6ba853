import { type NeutralRequest } from '../../../contract/neutral.js';
import { isSinceGemini3 } from './gemini-generation.js';
import { type GeminiHost } from './gemini-host.js';
import { type Placed, stringOf, untranslatable } from '../placed-blocks.js';
import { toolsOnOffer, toolsTold } from '../tools-on-offer.js';
import { withItems } from '../whole-schema.js';
import { hash, wireToolName } from '../wire-names.js';

/**
 * A function's name as Gemini takes it: a letter or `_`, then letters, digits and `_.:-`, 64 in all.
 * Another name is cleaned and given a hash of the whole, so that different tools stay different.
 * https://ai.google.dev/api/caching#FunctionDeclaration
 */
export function functionName(name: string): string {
  if (/^[A-Za-z_][\w.:-]{0,63}$/.test(name)) return name;
  const wire = wireToolName(name);
  return /^[A-Za-z_]/.test(wire) ? wire : `_${wire.slice(0, 55)}_${hash(name)}`;
}

/** The caller's names of the tools, by the names that they are sent under. */
export function callerFunctionNames(request: NeutralRequest): ReadonlyMap<string, string> {
  const names = toolsOnOffer(request)
    .filter(isFunction)
    .map((tool) => stringOf(tool, 'name'));
  return new Map(names.map((name) => [functionName(name), name]));
}

/**
 * `tools` and `toolConfig` as far as they are wanted. Gemini has no switch for parallel calls, and no
 * bound on its own searches. https://ai.google.dev/gemini-api/docs/function-calling
 *
 * @throws GatewayError 400 for a tool that only Anthropic runs, and for an unknown choice.
 */
export function geminiTooling(
  request: NeutralRequest,
  name: string,
  { mixesTools }: GeminiHost,
): { tools?: readonly object[]; toolConfig?: object } {
  const offered = toolsTold(request);
  const functions = offered.filter(isFunction);
  const googles = offered.filter((tool) => !isFunction(tool)).map(googleTool);
  const declarations = functions.map(declaration);
  const tools = [
    ...(declarations.length > 0 ? [{ functionDeclarations: declarations }] : []),
    ...googles,
  ];
  const isMixed = declarations.length > 0 && googles.length > 0;
  const isStrict = functions.some(({ block }) => block.strict === true);
  const asked = functionCalling(request, isStrict);
  const calling = declarations.length > 0 || asked?.mode === 'ANY' ? asked : undefined;
  const toolConfig = {
    ...(calling && { functionCallingConfig: calling }),
    // Otherwise the third generation refuses tools of both kinds; earlier ones always do.
    ...(isMixed &&
      mixesTools &&
      isSinceGemini3(name) && { includeServerSideToolInvocations: true }),
  };
  return {
    ...(tools.length > 0 && { tools }),
    ...(Object.keys(toolConfig).length > 0 && { toolConfig }),
  };
}

function isFunction({ block }: Placed): boolean {
  const { type, name, input_schema: schema } = block as Partial<Record<string, unknown>>;
  if (type === undefined || type === null) return name !== undefined || schema !== undefined;
  return type === 'custom';
}

function declaration(tool: Placed): object {
  const { description, input_schema: schema } = tool.block;
  return {
    name: functionName(stringOf(tool, 'name')),
    ...(description != null && { description }),
    // Any JSON Schema may stand here, of which Gemini heeds what it knows; `parameters` refuses it.
    ...(schema != null && { parametersJsonSchema: withItems(schema) }),
  };
}

/** Anthropic's server tools that Google has too; what is none of them is Google's own already. */
function googleTool(tool: Placed): object {
  const { type, name, ...settings } = tool.block as Partial<Record<string, unknown>>;
  if (type === undefined || type === null) return tool.block;
  const [, made] =
    GOOGLE_TOOLS.find(([pattern]) => typeof type === 'string' && pattern.test(type)) ?? [];
  if (!made) {
    const reason = `the tool ${JSON.stringify(name ?? type)} is known to Anthropic only.`;
    throw untranslatable(`${tool.at}.type`, reason);
  }
  const bound = BOUNDS.find((field) => Array.isArray(settings[field]));
  if (bound) throw untranslatable(`${tool.at}.${bound}`, 'cannot be promised by Google.');
  return made;
}

const GOOGLE_TOOLS: readonly (readonly [RegExp, object])[] = [
  [/^web_search_\d+$/, { googleSearch: {} }],
  [/^web_fetch_\d+$/, { urlContext: {} }],
  [/^code_execution_\d+$/, { codeExecution: {} }],
];

/** What a caller relies on for safety, and must not be left out silently. */
const BOUNDS = ['allowed_domains', 'blocked_domains'];

function functionCalling(
  { tool_choice: choice }: NeutralRequest,
  isStrict: boolean,
): { mode: string; allowedFunctionNames?: readonly string[] } | undefined {
  switch (choice?.type) {
    case undefined:
    case null:
    case 'auto':
      // The only other mode in which arguments are sure to fit their schema.
      if (isStrict) return { mode: 'VALIDATED' };
      return choice && { mode: 'AUTO' };
    case 'any':
      return { mode: 'ANY' };
    case 'none':
      return { mode: 'NONE' };
    case 'tool': {
      if (typeof choice.name !== 'string') {
        throw untranslatable('tool_choice.name', 'must be a string.');
      }
      return { mode: 'ANY', allowedFunctionNames: [functionName(choice.name)] };
    }
    default:
      throw untranslatable('tool_choice.type', 'must be auto, any, tool or none.');
  }
}
