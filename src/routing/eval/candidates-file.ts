import { type Model } from '../../contract/model.js';
import { YamlValue } from '../../models/yaml-value.js';
import { logOdds, shareOf } from '../log-odds.js';
import { beliefsOf } from '../priced-prior.js';
import { ofEveryClass, type Qualities, type QualityPrior } from '../quality-prior.js';
import { TASK_CLASSES, type TaskClass } from '../task-class.js';
import { pricingOf } from './written-price.js';

/** A model that may be chosen, as the evaluation sees it. */
export interface EvaluatedModel {
  /** Its id is the name that it has in the candidates file. */
  readonly model: Model;
  /** Names under which rows may know it, the first one first. */
  readonly names: readonly string[];
}

export interface CandidatesFile {
  readonly models: readonly EvaluatedModel[];
  /** The shipped table's word, moved by what the file says. */
  readonly prior: QualityPrior;
}

/** A file of another kind has as many problems as lines; the first ones tell enough. */
const MOST_PROBLEMS = 20;

/**
 * Reads the models that may be chosen: a map from names, or a list with `name`, below `models` or
 * `candidates` or alone. docs/routing.md has the form.
 *
 * @throws Error that lists the problems with their lines.
 */
export function readCandidates(text: string, name: string, shipped: QualityPrior): CandidatesFile {
  const problems: string[] = [];
  const file = YamlValue.parse(text, name, problems);
  const top = [file.at('models'), file.at('candidates')].find(({ absent }) => !absent) ?? file;
  const entries = problems.length > 0 ? [] : entriesOf(top);
  const models = entries.map(([id, entry]): EvaluatedModel => {
    return { model: modelOf(id, entry), names: namesOf(id, entry) };
  });
  if (models.length === 0 && problems.length === 0) problems.push(`${name}: has no models`);
  const beliefs = beliefsOf(
    models.map(({ model }) => model),
    shipped,
  );
  const own = new Map<string, Qualities>();
  for (const [id, entry] of entries) {
    if (own.has(id)) entry.problem('is there twice');
    const believed = beliefs.get(id);
    if (believed) own.set(id, qualitiesOf(entry, believed));
  }
  const more = problems.splice(MOST_PROBLEMS).length;
  if (more > 0) problems.push(`and ${more} more problems`);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return { models, prior: { ...shipped, of: (id) => own.get(id) } };
}

function entriesOf(top: YamlValue): [string, YamlValue][] {
  if (top.isMap) return top.members();
  return (top.items() ?? []).map((item): [string, YamlValue] => {
    if (!item.isMap) return [item.text() ?? '', item];
    const named = ['name', 'id', 'model'].map((key) => item.at(key)).find(({ absent }) => !absent);
    if (!named) item.problem('needs a name');
    return [named?.text() ?? '', item];
  });
}

/** What rows may call it: as the file says, or without the provider in front. */
function namesOf(id: string, entry: YamlValue): string[] {
  const { absent } = entry.at('aliases');
  const aliases = [
    entry.at('outcome'),
    entry.at('alias'),
    ...((absent ? undefined : entry.at('aliases').items()) ?? []),
  ];
  const names = aliases.flatMap((alias) => (alias.absent ? [] : (alias.text() ?? [])));
  const slash = id.indexOf('/');
  return [id, ...names, ...(slash < 0 ? [] : [id.slice(slash + 1)])];
}

function modelOf(id: string, entry: YamlValue): Model {
  const context = entry.at('context_length').whole(1);
  return {
    id,
    name: id,
    provider: '',
    created: 0,
    listed: true,
    endpoints: ['messages'],
    capabilities: {},
    pricing: pricingOf(entry),
    ...(context !== undefined && { contextLength: context }),
  };
}

/** The kinds of task by other names, those of well-known benchmarks among them. */
const OTHER_NAMES: Readonly<Record<TaskClass, readonly string[]>> = {
  arithmetic: ['gsm', 'gsm8k'],
  math: ['math-l5', 'math-500', 'aime'],
  code: ['coding', 'crux', 'cruxeval', 'mbpp', 'humaneval', 'livecodebench'],
  knowledge: ['mmlu', 'mmlu-pro', 'mcq', 'gpqa', 'arc', 'arc-c', 'arc-challenge', 'winogrande'],
  tools: ['tool', 'tool-use', 'bfcl'],
  writing: ['creative-writing', 'alpaca-eval'],
  general: ['other', 'overall', 'default', 'chat', 'mt-bench'],
};

function taskNamed(name: string): TaskClass | undefined {
  const plain = name.toLowerCase().replaceAll('_', '-');
  return TASK_CLASSES.find((task) => task === plain || OTHER_NAMES[task].includes(plain));
}

/**
 * What the file says, and of the kinds of task that it does not name the shipped word, moved by as
 * much as the file is above or below it elsewhere.
 */
function qualitiesOf(entry: YamlValue, believed: Qualities): Qualities {
  const given = new Map<TaskClass, number>();
  const moves: number[] = [];
  const keys = ['quality', 'prior', 'priors', 'qualities'].map((key) => entry.at(key));
  for (const value of keys.filter(({ absent }) => !absent)) {
    if (!value.isMap) moves.push(logOdds(share(value)) - logOdds(believed.general));
    for (const [name, member] of value.isMap ? value.members() : []) {
      const task = taskNamed(name);
      if (!task) member.problem(`is no kind of task (${TASK_CLASSES.join(', ')})`);
      else given.set(task, share(member));
    }
  }
  for (const [task, number] of given) moves.push(logOdds(number) - logOdds(believed[task]));
  const move = moves.reduce((sum, one) => sum + one, 0) / Math.max(1, moves.length);
  return ofEveryClass((task) => given.get(task) ?? shareOf(logOdds(believed[task]) + move));
}

function share(value: YamlValue): number {
  const number = value.number() ?? 0;
  if (number > 1) value.problem('must be a number from 0 to 1');
  return number;
}
