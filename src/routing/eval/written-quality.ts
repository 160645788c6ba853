import { type YamlValue } from '../../models/yaml-value.js';
import { logOdds, shareOf } from '../log-odds.js';
import { ofEveryClass, type Qualities } from '../quality-prior.js';
import { TASK_CLASSES, type TaskClass } from '../task-class.js';
import { numberAt } from './written-number.js';

/** Names of what is said of a model's quality: one of these words, or some of them. */
const WORDS = ['quality', 'qualities', 'prior', 'priors', 'accuracy', 'accuracies'];

/** Words that such a name may have beside them, or alone inside of such a place. */
const BESIDES = [
  ...['by', 'per', 'task', 'tasks', 'class', 'classes', 'kind', 'kinds', 'model', 'models'],
  ...['benchmark', 'benchmarks', 'overall', 'mean', 'average', 'expected'],
];

/** The kinds of task by other names, those of well-known benchmarks among them. */
const OTHER_NAMES: Readonly<Record<TaskClass, readonly string[]>> = {
  arithmetic: ['gsm', 'gsm8k'],
  math: ['math-l5', 'math-500', 'aime'],
  code: ['coding', 'crux', 'cruxeval', 'mbpp', 'humaneval', 'livecodebench'],
  knowledge: ['mmlu', 'mmlu-pro', 'mcq', 'gpqa', 'arc', 'arc-c', 'arc-challenge', 'winogrande'],
  tools: ['tool', 'tool-use', 'bfcl'],
  writing: ['creative-writing', 'alpaca-eval'],
  general: ['quality', 'all', 'mean', 'other', 'overall', 'default', 'chat', 'mt-bench'],
};

/** The members of an entry, or of the file, that tell of quality. */
export function qualityMembers(entry: YamlValue): YamlValue[] {
  if (!entry.isMap) return [];
  return entry.members().flatMap(([name, value]) => (isOfQuality(name) ? [value] : []));
}

/** Something that is said of a model: of one kind of task, or of the whole or several of them. */
interface Said {
  readonly value: YamlValue;
  readonly task?: TaskClass;
}

/** What is said of a model where qualities stand by model, or by kind of task and then by model. */
export function saidOf(id: string, apart: readonly YamlValue[]): Said[] {
  return apart.flatMap((one): Said[] => [
    { value: one.at(id) },
    ...tasksIn(one).map(([task, value]) => ({ task, value: value.at(id) })),
  ]);
}

/** The members of such a place by their models' names. */
export function byModel(apart: YamlValue): [string, YamlValue][] {
  const tasks = tasksIn(apart);
  const direct = apart.members().filter(([name, value]) => !(taskNamed(name) && value.isMap));
  return [...direct, ...tasks.flatMap(([, value]) => value.members())];
}

function tasksIn(apart: YamlValue): [TaskClass, YamlValue][] {
  return apart.members().flatMap(([name, value]): [TaskClass, YamlValue][] => {
    const task = value.isMap && taskNamed(name);
    return task ? [[task, value]] : [];
  });
}

/**
 * Where the file says something of a model: of the whole, or of some kinds of task.
 *
 * @param besides what stands elsewhere than in the model's entry.
 */
export function givenIn(
  entry: YamlValue,
  besides: readonly Said[],
): ReadonlyMap<TaskClass, YamlValue> {
  const given = new Map<TaskClass, YamlValue>();
  const members = entry.isMap ? entry.members() : [];
  for (const [name, value] of members) {
    const task = taskNamed(name);
    // Other things may have such a name, but are no numbers.
    if (task && numberAt(value) !== undefined && !isOfQuality(name)) given.set(task, value);
  }
  const said = [...qualityMembers(entry).map((value): Said => ({ value })), ...besides];
  for (const { value, task: of = 'general' } of said) {
    if (value.absent) continue;
    if (!value.isMap) given.set(of, value);
    else for (const [task, member] of byTask(value)) given.set(task, member);
  }
  return given;
}

/** Kinds and what is said of them, also where they stand below a name such as `by_task`. */
function byTask(place: YamlValue): [TaskClass, YamlValue][] {
  return place.members().flatMap(([name, member]): [TaskClass, YamlValue][] => {
    if (member.absent) return [];
    const isPlace = member.isMap && wordsOf(name).every(isWordOfQuality);
    if (isPlace) return byTask(member);
    const task = taskIn(name);
    if (!task) member.problem(`is no kind of task (${TASK_CLASSES.join(', ')})`);
    return task ? [[task, member]] : [];
  });
}

/**
 * What the numbers of a file say. Kinds that it does not name have the word that is `believed`, moved by
 * as much as the file is above or below it: the whole beside the mean of all kinds or, without a whole,
 * the kinds that are named. Undefined where it says nothing.
 */
export function qualitiesOf(
  given: ReadonlyMap<TaskClass, number>,
  believed: Qualities,
): Qualities | undefined {
  if (given.size === 0) return undefined;
  const oddsOf = (task: TaskClass) => logOdds(believed[task]);
  const whole = given.get('general');
  const move =
    whole === undefined
      ? mean([...given].map(([task, number]) => logOdds(number) - oddsOf(task)))
      : logOdds(whole) - mean(TASK_CLASSES.map(oddsOf));
  return ofEveryClass((task) => given.get(task) ?? shareOf(oddsOf(task) + move));
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}

/** Whether a member of that name tells of quality. */
export function isOfQuality(name: string): boolean {
  const words = wordsOf(name);
  return words.every(isWordOfQuality) && words.some((word) => WORDS.includes(word));
}

function wordsOf(name: string): string[] {
  return name.toLowerCase().split(/[^a-z]+/);
}

function isWordOfQuality(word: string): boolean {
  return WORDS.includes(word) || BESIDES.includes(word);
}

/** The kind of task that a member of that name tells of. */
export function taskNamed(name: string): TaskClass | undefined {
  const plain = plainName(name);
  return TASK_CLASSES.find((task) => task === plain || OTHER_NAMES[task].includes(plain));
}

/** The kind in a longer name, such as `zeroeval_gsm`. */
function taskIn(name: string): TaskClass | undefined {
  const plain = `-${plainName(name)}-`;
  const isIn = (own: string) => plain.includes(`-${own}-`);
  return taskNamed(name) ?? TASK_CLASSES.find((task) => [task, ...OTHER_NAMES[task]].some(isIn));
}

/** Without the collection that a benchmark's rows come from. */
function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^(?:zeroeval|routellm|routerbench)-/, '');
}
