import { type NeutralBlock } from '../../../contract/neutral.js';
import { textOf } from '../../../json/values.js';
import { type GeminiHost } from './gemini-host.js';
import { type GeminiPart } from './gemini-parts.js';
import { objectOf, type Placed, stringOf, unknownType } from '../placed-blocks.js';

/** Code that Gemini wrote to be run, as Anthropic's server tool block. */
export function codeBlock(id: string, { code, language }: WireCode): NeutralBlock {
  const input = { code: textOf(code), ...(typeof language === 'string' && { language }) };
  return { type: 'server_tool_use', id, name: 'code_execution', input };
}

/** What came of running it. https://ai.google.dev/api/caching#CodeExecutionResult */
export function codeResultBlock(id: string, { outcome, output }: WireCodeResult): NeutralBlock {
  const said = textOf(output);
  const isFine = outcome === 'OUTCOME_OK';
  const content =
    outcome === 'OUTCOME_DEADLINE_EXCEEDED' && said === ''
      ? { type: 'code_execution_tool_result_error', error_code: 'execution_time_exceeded' }
      : {
          type: 'code_execution_result',
          stdout: isFine ? said : '',
          stderr: isFine ? '' : said,
          return_code: isFine ? 0 : 1,
          content: [],
        };
  return { type: 'code_execution_tool_result', tool_use_id: id, content };
}

/** A call of one of Google's own tools, shown because the caller's tools stand beside them. */
export function googleCallBlock(id: string, { toolType, args }: WireGoogleCall): NeutralBlock {
  return { type: 'server_tool_use', id, name: blockName(toolType), input: args ?? {} };
}

/** The result of one of Google’s own tools as a block of the neutral shape. */
export function googleResultBlock(id: string, wire: WireGoogleResult): NeutralBlock {
  const type = `${blockName(wire.toolType)}_tool_result`;
  return { type, tool_use_id: id, content: wire.response ?? {} };
}

/**
 * Such a block of an earlier turn as the part that it was.
 *
 * @throws GatewayError 400 for the tools of another vendor.
 */
export function serverToolPart(place: Placed, { takesIds }: GeminiHost): GeminiPart {
  const { type } = place.block;
  const isCall = type === 'server_tool_use';
  const name = isCall ? stringOf(place, 'name') : type.replace(/_tool_result$/, '');
  const isCode = name === 'code_execution';
  const toolType = name.toUpperCase();
  if (!isCode && !GOOGLE_TOOLS.has(toolType)) throw unknownType(place);
  const own = stringOf(place, isCall ? 'id' : 'tool_use_id');
  const id = takesIds && !own.startsWith(MADE) ? { id: own } : {};
  if (isCode) {
    return isCall
      ? { executableCode: { ...id, ...executableCode(objectOf(place, 'input')) } }
      : { codeExecutionResult: { ...id, ...executionResult(objectOf(place, 'content')) } };
  }
  return isCall
    ? { toolCall: { ...id, toolType, args: objectOf(place, 'input').block } }
    : { toolResponse: { ...id, toolType, response: objectOf(place, 'content').block } };
}

/** How the id of a server tool's call begins where Gemini gave none. */
export const MADE = 'srvtoolu_';

/** Code that the model runs. https://ai.google.dev/api/caching#ExecutableCode */
export interface WireCode {
  readonly id?: unknown;
  readonly code?: unknown;
  readonly language?: unknown;
}

/** What came of it. https://ai.google.dev/api/caching#CodeExecutionResult */
export interface WireCodeResult {
  readonly id?: unknown;
  readonly outcome?: unknown;
  readonly output?: unknown;
}

/** A call of another of Google’s own tools. */
export interface WireGoogleCall {
  readonly id?: unknown;
  readonly toolType?: unknown;
  readonly args?: unknown;
}

/** What came of that. */
export interface WireGoogleResult {
  readonly id?: unknown;
  readonly toolType?: unknown;
  readonly response?: unknown;
}

/** https://ai.google.dev/api/caching#ToolType */
const GOOGLE_TOOLS: ReadonlySet<string> = new Set([
  'GOOGLE_SEARCH_WEB',
  'GOOGLE_SEARCH_IMAGE',
  'URL_CONTEXT',
  'GOOGLE_MAPS',
  'FILE_SEARCH',
]);

function executableCode(input: Placed): object {
  const { language } = input.block;
  return {
    language: typeof language === 'string' ? language : 'PYTHON',
    code: stringOf(input, 'code'),
  };
}

function executionResult(content: Placed): object {
  const { type, return_code: code, stdout, stderr } = content.block;
  if (type === 'code_execution_tool_result_error') return { outcome: 'OUTCOME_DEADLINE_EXCEEDED' };
  if (type !== 'code_execution_result') throw unknownType(content);
  const output = textOf(stdout) + textOf(stderr);
  return { outcome: code === 0 ? 'OUTCOME_OK' : 'OUTCOME_FAILED', output };
}

function blockName(toolType: unknown): string {
  return textOf(toolType).toLowerCase();
}
