import { isText, textOf } from '../json/values.js';
import { type Format } from './endpoint.js';
import { type PlacedTool, toolsIn } from './tools.js';

/** A tool by which a request has its model use another one of the same provider. */
export interface HelperTool extends PlacedTool {
  /** The format in which the provider is told of it; in others it is dropped, or no such tool. */
  readonly format: Format;
  /** The provider's name of the model that helps. */
  readonly model: string;
  /** Where the request names that model. */
  readonly param: string;
}

/**
 * The tools of a body by which further models come in: Anthropic's advisor.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/advisor-tool
 *
 * @param body of a conversation, in whichever format.
 */
export function helpersIn(body: object): readonly HelperTool[] {
  return toolsIn(body).flatMap((placed): HelperTool[] => {
    const { tool, at } = placed;
    if (!ADVISOR.test(textOf(tool.type)) || !isText(tool.model)) return [];
    return [{ ...placed, format: 'anthropic', model: tool.model, param: `${at}.model` }];
  });
}

const ADVISOR = /^advisor_\d{8}$/;
