import { YamlValue } from '../models/yaml-value.js';
import { familyForm, modelFamily } from './family-name.js';
import { TASK_CLASSES, type TaskClass } from './task-class.js';

/** A number for each kind of task. */
type Numbers = Readonly<Record<TaskClass, number>>;

/** The expected share of requests done well, 0 to 1. */
export type Qualities = Numbers;

/** What is believed of models before there is any feedback. */
export interface QualityPrior {
  /** Undefined for a model of no family that the table has. */
  of(modelId: string): Qualities | undefined;
  /** Tokens of a typical answer. */
  readonly answerTokens: Numbers;
  /** Characters of a usual question, for the kinds of task in which a longer one is harder. */
  readonly usualLength: Partial<Numbers>;
  /** What to expect of a model for its price: at 1 and at 10 USD a million tokens. */
  readonly byPrice: { readonly one: Qualities; readonly ten: Qualities };
}

/**
 * Reads a table of the form of `quality-prior.yaml`. What is wrong is added to `problems` with its
 * line, and the table is then not to be used.
 *
 * @param name by which problems call it.
 */
export function readPrior(text: string, problems: string[], name: string): QualityPrior {
  const file = YamlValue.parse(text, name, problems);
  if (!file.isMap) {
    if (problems.length === 0) file.problem('must be a map with families');
    return readPrior('families: {}', [], name);
  }
  file.only(['as_of', 'sources', 'answer_tokens', 'usual_length', 'by_price', 'families']);
  const families = new Map<string, Qualities>();
  if (file.at('families').absent) file.at('families').problem('is missing');
  else {
    for (const [key, family] of file.at('families').members()) {
      const form = familyForm(key);
      if (form === '') family.problem('needs a name');
      else if (families.has(form)) family.problem('is there twice, in another spelling');
      else families.set(form, readQualities(family.only(FAMILY_KEYS)));
    }
  }
  const answerTokens = readCounts(file.at('answer_tokens'));
  const usualLength = readCounts(file.at('usual_length'));
  const names = [...families.keys()];
  return {
    of: (modelId) => families.get(modelFamily(modelId, names) ?? ''),
    answerTokens: ofEveryClass((task) => answerTokens[task] ?? USUAL_ANSWER_TOKENS),
    usualLength,
    byPrice: readByPrice(file.at('by_price')),
  };
}

const FAMILY_KEYS = ['quality', 'estimated', ...TASK_CLASSES];
const USUAL_ANSWER_TOKENS = 300;

function readQualities(family: YamlValue): Qualities {
  const share = (key: string): number | undefined => {
    const value = family.at(key).number();
    if (value !== undefined && value > 1) family.at(key).problem('must be a number from 0 to 1');
    return value;
  };
  family.at('estimated').flag();
  const quality = share('quality');
  // What is no map at all has been noted as such.
  const mayHaveOne = family.absent || family.isMap;
  if (mayHaveOne && family.at('quality').absent) family.problem('needs quality');
  return ofEveryClass((task) => share(task) ?? quality ?? 0);
}

/** A table may leave it out: then all models of no family are equally good. */
function readByPrice(byPrice: YamlValue): QualityPrior['byPrice'] {
  const unknown = ofEveryClass(() => UNKNOWN);
  if (byPrice.absent) return { one: unknown, ten: unknown };
  byPrice.only(['1', '10']);
  const [one, ten] = ['1', '10'].map((usd) => {
    if (byPrice.at(usd).absent) byPrice.problem(`needs ${usd}`);
    return byPrice.at(usd).absent ? unknown : readQualities(byPrice.at(usd).only(FAMILY_KEYS));
  });
  return { one: one ?? unknown, ten: ten ?? unknown };
}

const UNKNOWN = 0.5;

function readCounts(counts: YamlValue): Partial<Numbers> {
  if (counts.absent) return {};
  counts.only(TASK_CLASSES);
  const given = TASK_CLASSES.map((task) => [task, counts.at(task).whole(1)]);
  return Object.fromEntries(given.filter(([, count]) => count !== undefined)) as Partial<Numbers>;
}

/** One number for every kind of task. */
export function ofEveryClass(number: (task: TaskClass) => number): Numbers {
  return Object.fromEntries(TASK_CLASSES.map((task) => [task, number(task)])) as Qualities;
}
