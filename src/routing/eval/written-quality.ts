import { type YamlValue } from '../../models/yaml-value.js';
import { logOdds, shareOf } from '../log-odds.js';
import { ofEveryClass, type Qualities } from '../quality-prior.js';
import { TASK_CLASSES, type TaskClass } from '../task-class.js';
import { numberAt, shareAt } from './written-number.js';

/** Names of what is said of a model's quality: one of these words, or some of them. */
const WORDS = ['quality', 'qualities', 'prior', 'priors', 'accuracy', 'accuracies'];

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
export interface Said {
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
 * What the file says: a number for the whole, or a map of kinds of task. Kinds that it does not name
 * have the word that is `believed`, moved by as much as the file is above or below it on the whole or,
 * where it does not say that, for the other kinds. Undefined where it says nothing.
 *
 * @param besides what stands elsewhere than in the model's entry.
 */
export function qualitiesIn(
  entry: YamlValue,
  besides: readonly Said[],
  believed: Qualities,
): Qualities | undefined {
  const given = new Map<TaskClass, number>();
  const members = entry.isMap ? entry.members() : [];
  for (const [name, value] of members) {
    const task = taskNamed(name);
    // Other things may have such a name, but are no numbers.
    if (task && numberAt(value) !== undefined && !isOfQuality(name))
      given.set(task, shareAt(value));
  }
  const said = [...qualityMembers(entry).map((value): Said => ({ value })), ...besides];
  for (const { value, task: of = 'general' } of said) {
    if (value.absent) continue;
    if (!value.isMap) given.set(of, shareAt(value));
    for (const [name, member] of value.isMap ? value.members() : []) {
      const task = taskIn(name);
      if (!task) member.problem(`is no kind of task (${TASK_CLASSES.join(', ')})`);
      else if (!member.absent) given.set(task, shareAt(member));
    }
  }
  if (given.size === 0) return undefined;
  const moveOf = (task: TaskClass, number: number) => logOdds(number) - logOdds(believed[task]);
  const whole = given.get('general');
  const moves = [...given].map(([task, number]) => moveOf(task, number));
  const mean = moves.reduce((sum, one) => sum + one, 0) / Math.max(1, moves.length);
  const move = whole === undefined ? mean : moveOf('general', whole);
  return ofEveryClass((task) => given.get(task) ?? shareOf(logOdds(believed[task]) + move));
}

/** Whether a member of that name tells of quality. */
export function isOfQuality(name: string): boolean {
  return name
    .toLowerCase()
    .split(/[^a-z]+/)
    .every((word) => WORDS.includes(word));
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

function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z\d]+/g, '-');
}
