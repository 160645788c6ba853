import { isText, textOf } from '../json/values.js';
import { type Format } from './endpoint.js';
import { type PlacedTool, toolsIn } from './tools.js';

/** A tool by which a request has its model use another one of the same provider. */
export interface HelperTool extends PlacedTool {
  /** The format in which the provider is told of it; in others it is dropped, or no such tool. */
  readonly format: Format;
  /** The provider's name of the model that helps. */
  readonly model: string;
  /** Where the request names that model, or has it by default. */
  readonly param: string;
}

/**
 * The tools of a body by which further models come in: Anthropic's advisor, and OpenAI's that makes pictures.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/advisor-tool,
 * https://developers.openai.com/api/docs/guides/tools-image-generation
 *
 * @param body of a conversation, in whichever format.
 */
export function helpersIn(body: object): readonly HelperTool[] {
  return toolsIn(body).flatMap((placed): HelperTool[] => {
    const { tool, at } = placed;
    const type = textOf(tool.type);
    const named = isText(tool.model) ? { model: tool.model, param: `${at}.model` } : undefined;
    if (ADVISOR.test(type)) return named ? [{ ...placed, ...named, format: 'anthropic' }] : [];
    if (!PICTURES.test(type)) return [];
    const usual = { model: USUAL_PAINTER, param: `${at}.type` };
    return [{ ...placed, ...(named ?? usual), format: 'responses' }];
  });
}

const ADVISOR = /^advisor_\d{8}$/;
const PICTURES = /^image_generation(_\d{4}_\d\d_\d\d)?$/;

/** The model that OpenAI takes where the tool names none. */
const USUAL_PAINTER = 'gpt-image-2';
