import { type Model } from '../contract/model.js';
import { type Fields, listOf, membersOf } from '../json/values.js';
import { type Catalogue } from '../models/catalogue.js';

/** A model that a request offers its own model to ask for advice. */
export interface Advisor {
  readonly id: string;
  /** Where the request names it. */
  readonly param: string;
  /** Undefined where there is no such model. */
  readonly model: Model | undefined;
}

/**
 * The advisors that a request names, models of the same provider as the one that asks them.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/advisor-tool
 *
 * @param provider of the model that serves the request.
 */
export function advisorsIn(
  { tools }: Fields,
  provider: string,
  catalogue: Pick<Catalogue, 'find'>,
): readonly Advisor[] {
  return listOf(tools).flatMap((tool, index): Advisor[] => {
    const { type, model: name } = membersOf(tool);
    if (typeof name !== 'string' || !ADVISOR.test(String(type))) return [];
    const id = `${provider}/${name}`;
    return [{ id, param: `tools[${index}].model`, model: catalogue.find(id) }];
  });
}

const ADVISOR = /^advisor_\d{8}$/;
