import { type Model } from '../../contract/model.js';
import { unitsOfUsd } from '../../contract/money.js';
import { YamlValue } from '../../models/yaml-value.js';
import { logOdds, shareOf } from '../log-odds.js';
import { beliefsOf } from '../priced-prior.js';
import { ofEveryClass, type Qualities, type QualityPrior } from '../quality-prior.js';
import { TASK_CLASSES, type TaskClass } from '../task-class.js';

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

/**
 * Reads the models that may be chosen: a map from names, or a list with `name`, below `models` or
 * `candidates` or alone. docs/routing.md has the form.
 *
 * @throws Error that lists every problem with its line.
 */
export function readCandidates(text: string, name: string, shipped: QualityPrior): CandidatesFile {
  const problems: string[] = [];
  const file = YamlValue.parse(text, name, problems);
  const top = [file.at('models'), file.at('candidates')].find(({ absent }) => !absent) ?? file;
  const entries = entriesOf(top);
  const models = entries.map(([id, entry]): EvaluatedModel => {
    const aliases = [
      entry.at('outcome'),
      entry.at('alias'),
      ...(listOf(entry.at('aliases')) ?? []),
    ];
    const names = aliases.flatMap((alias) => (alias.absent ? [] : (alias.text() ?? [])));
    return { model: modelOf(id, entry), names: [id, ...names] };
  });
  if (models.length === 0 && problems.length === 0) problems.push(`${name}: has no models`);
  const beliefs = beliefsOf(
    models.map(({ model }) => model),
    shipped,
  );
  const own = new Map<string, Qualities>();
  for (const [id, entry] of entries) {
    const believed = beliefs.get(id);
    if (believed) own.set(id, qualitiesOf(entry, believed));
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return { models, prior: { ...shipped, of: (id) => own.get(id) } };
}

function entriesOf(top: YamlValue): [string, YamlValue][] {
  if (top.isMap) return top.members();
  return (top.items() ?? []).map((item): [string, YamlValue] => {
    const named = ['name', 'id', 'model'].map((key) => item.at(key)).find(({ absent }) => !absent);
    if (!named) item.problem('needs a name');
    return [named?.text() ?? '', item];
  });
}

function listOf(value: YamlValue): YamlValue[] | undefined {
  return value.absent ? undefined : value.items();
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
    pricing: {
      inputPerToken: unitsOfUsd(priceOf(entry, 'input')),
      outputPerToken: unitsOfUsd(priceOf(entry, 'output')),
    },
    ...(context !== undefined && { contextLength: context }),
  };
}

/** A price below this is meant for a token, not for a million of them. */
const LEAST_A_MILLION = 0.001;

/** USD a token, in whichever of the usual ways it is written. */
function priceOf(entry: YamlValue, side: 'input' | 'output'): number {
  for (const place of ['pricing', 'prices', 'price', ''].map((key) =>
    key ? entry.at(key) : entry,
  )) {
    if (!place.isMap) continue;
    const token = place.at(`${side}_cost_per_token`);
    if (!token.absent) return token.number() ?? 0;
    for (const key of [side, `${side}_mtok`, `${side}_per_million`, `${side}_usd_per_million`]) {
      if (place.at(key).absent) continue;
      const price = place.at(key).number() ?? 0;
      return price < LEAST_A_MILLION ? price : price / 1_000_000;
    }
  }
  entry.problem(`needs ${side}: USD a million ${side} tokens`);
  return 0;
}

/** The kinds of task by other names: those of well-known benchmarks. */
const OTHER_NAMES: Readonly<Record<string, TaskClass>> = {
  gsm: 'arithmetic',
  gsm8k: 'arithmetic',
  'math-l5': 'math',
  math_l5: 'math',
  crux: 'code',
  coding: 'code',
  mbpp: 'code',
  mmlu: 'knowledge',
  mcq: 'knowledge',
  tool: 'tools',
  other: 'general',
  overall: 'general',
};

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
      const task = TASK_CLASSES.find((one) => one === name) ?? OTHER_NAMES[name.toLowerCase()];
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
