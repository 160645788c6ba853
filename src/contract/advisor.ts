import { isText, listOf, membersOf } from '../json/values.js';

/** The tool by which a request lets its model ask another one of the same provider for advice. */
export interface AdvisorTool {
  /** The provider's name of the model that is asked. */
  readonly model: string;
  /** Where that stands in the request. */
  readonly param: string;
  /** As the caller bounds them, checked by nobody. */
  readonly max_uses?: unknown;
  readonly max_tokens?: unknown;
}

/**
 * The advisors that a body offers; Anthropic takes one, as all have the same name.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/advisor-tool
 *
 * @param body of a conversation, in whichever format.
 */
export function advisorsIn(body: object): readonly AdvisorTool[] {
  return listOf(membersOf(body).tools).flatMap((tool, index): AdvisorTool[] => {
    const { type, model, max_uses, max_tokens } = membersOf(tool);
    if (!isText(model) || !isText(type) || !ADVISOR.test(type)) return [];
    return [{ model, param: `tools[${index}].model`, max_uses, max_tokens }];
  });
}

const ADVISOR = /^advisor_\d{8}$/;
