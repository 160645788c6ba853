import { type Model } from '../contract/model.js';
import { listOf, membersOf } from '../json/values.js';
import { type Catalogue } from '../models/catalogue.js';
import { type Choice } from './choice.js';

/** What a request lets its model ask for advice, by the provider's name, and where it says so. */
export interface NamedAdvisor {
  readonly name: string;
  readonly param: string;
}

/** The same, as a model of the provider's. */
export interface Advisor {
  readonly id: string;
  readonly param: string;
  /** Undefined where there is no such model. */
  readonly model: Model | undefined;
}

/**
 * The advisors that a request names.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/advisor-tool
 */
export function advisorsIn(choice: Choice): readonly NamedAdvisor[] {
  return listOf(membersOf(choice).tools).flatMap((tool, index): NamedAdvisor[] => {
    const { type, model: name } = membersOf(tool);
    if (typeof name !== 'string' || !ADVISOR.test(String(type))) return [];
    return [{ name, param: `tools[${index}].model` }];
  });
}

const ADVISOR = /^advisor_\d{8}$/;

/** Those that a model of this provider would ask, which are its provider's too. */
export function advisorsAt(
  provider: string,
  named: readonly NamedAdvisor[],
  catalogue: Pick<Catalogue, 'find'>,
): readonly Advisor[] {
  return named.map(({ name, param }) => {
    const id = `${provider}/${name}`;
    return { id, param, model: catalogue.find(id) };
  });
}
