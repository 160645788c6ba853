import { boundedJson, isObject, membersOf } from '../json/values.js';

/**
 * A tool call's arguments as an object. What is no JSON object, or one beyond all bounds, keeps its
 * text, wrapped in the way that Anthropic names for it:
 * https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/fine-grained-tool-streaming
 */
export function toolInput(wire: unknown): object {
  if (wire === undefined || wire === null) return {};
  const text = typeof wire === 'string' ? wire : JSON.stringify(wire);
  if (text.trim() === '') return {};
  const input = boundedJson(text);
  if (!isObject(input)) return { INVALID_JSON: text };
  return LONG_NUMBER.test(text) ? (JSON.parse(text, withDigits) as object) : input;
}

/** The text of a tool call's arguments, also of those which were no JSON object. */
export function writtenInput(input: unknown): string {
  const { INVALID_JSON: text, ...rest } = membersOf(input);
  const isWrapped = typeof text === 'string' && Object.keys(rest).length === 0;
  return isWrapped ? text : JSON.stringify(input ?? {});
}

const LONG_NUMBER = /\d{16}/;

/** Ids often have more digits than a double keeps, and would be another's when they are written again. */
function withDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const { source = '' } = context ?? {};
  const isKept = typeof value !== 'number' || String(value) === source;
  return isKept || !LONG_INTEGER.test(source) ? value : RAW.rawJSON(source);
}

const LONG_INTEGER = /^-?\d{16,300}$/;

// https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/JSON/rawJSON
const RAW = JSON as unknown as { rawJSON(text: string): unknown };
