import { type Model } from '../contract/model.js';
import { type Qualities } from './quality-prior.js';
import { type TaskClass } from './task-class.js';

/** The sum of what callers said of a model's work on one kind of task. */
export interface Opinion {
  readonly model: string;
  /** Null where it is not known what kind of task it was. */
  readonly task: TaskClass | null;
  readonly count: number;
  /** Sum of the scores, each 0 to 1. */
  readonly total: number;
}

type Named = Pick<Model, 'id' | 'aliasOf'>;

/** Adjusts what is believed of a model by an account's own feedback, under its undated and its dated name. */
export type Learned = (model: Named, task: TaskClass, believed: Qualities) => number;

/**
 * What is believed counts as much as so many requests with feedback. A learner that starts cold loses
 * against the best fixed model for thousands of requests; one that starts from a prior does not.
 */
export const PRIOR_REQUESTS = 60;

/** Feedback on more requests than this counts as if it were so many, so that it can be outweighed. */
const MOST_COUNTED = 2_000;

/** Joins an account's opinions with what is believed. */
export function learnedFrom(opinions: readonly Opinion[]): Learned {
  const byTask = new Map<string, Opinion>();
  const byModel = new Map<string, Opinion>();
  for (const opinion of opinions) {
    if (opinion.task === null) byModel.set(opinion.model, opinion);
    else byTask.set(`${opinion.task} ${opinion.model}`, opinion);
  }
  if (opinions.length === 0) return (_model, task, believed) => believed[task];
  return (model, task, believed) => {
    const whole = added(byModel, model, '');
    const moved = whole ? joined(believed.general, whole) - believed.general : 0;
    const here = Math.min(1, Math.max(0, believed[task] + moved));
    const own = added(byTask, model, `${task} `);
    return own ? joined(here, own) : here;
  };
}

/** What was said of a model under both of its names. */
function added(
  opinions: ReadonlyMap<string, Opinion>,
  { id, aliasOf }: Named,
  before: string,
): Pick<Opinion, 'count' | 'total'> | undefined {
  const own = opinions.get(before + id);
  const dated = aliasOf === undefined ? undefined : opinions.get(before + aliasOf);
  if (!own || !dated) return own ?? dated;
  return { count: own.count + dated.count, total: own.total + dated.total };
}

function joined(believed: number, { count, total }: Pick<Opinion, 'count' | 'total'>): number {
  if (count <= 0) return believed;
  const counted = Math.min(count, MOST_COUNTED);
  const mean = Math.min(1, Math.max(0, total / count));
  return (believed * PRIOR_REQUESTS + mean * counted) / (PRIOR_REQUESTS + counted);
}
