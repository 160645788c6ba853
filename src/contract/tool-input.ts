import { boundedJson, isObject } from '../json/values.js';

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
  return isObject(input) ? input : { INVALID_JSON: text };
}
