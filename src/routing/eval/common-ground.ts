/** Rows that know the same models. */
interface Pattern<T> {
  readonly models: ReadonlySet<T>;
  rows: number;
}

/** Beginnings that are tried; the rows of a file know the same models, but for a few. */
const MOST_STARTS = 6;

/**
 * The models to be compared, each on the rows that all of them know: those with which the most outcomes
 * are kept. So a model that a few rows lack costs these rows, and one that many lack is left out. They
 * are two at least, where any two meet.
 *
 * @param known the models that each row knows.
 */
export function commonGround<T>(known: readonly ReadonlySet<T>[]): ReadonlySet<T> {
  const patterns = patternsOf(known);
  const all = new Set(known.flatMap((models) => [...models]));
  let best: ReadonlySet<T> = new Set();
  let most = 0;
  for (const start of [all, ...patterns.slice(0, MOST_STARTS).map(({ models }) => models)]) {
    const models = new Set(start);
    // Not even with every row could fewer models be worth more.
    while (worth(models.size, known.length) > most) {
      const kept = worth(models.size, rowsOf(models, patterns));
      if (kept > most) [best, most] = [new Set(models), kept];
      models.delete(mostMissed(models, patterns));
    }
  }
  return best;
}

/** Outcomes that are kept; those of one model compare nothing. */
function worth(models: number, rows: number): number {
  return models > 1 ? models * rows : (models * rows) / Number.MAX_SAFE_INTEGER;
}

/** The most frequent first. */
function patternsOf<T>(known: readonly ReadonlySet<T>[]): Pattern<T>[] {
  const numbers = new Map<T, number>();
  const patterns = new Map<string, Pattern<T>>();
  for (const models of known) {
    for (const model of models) numbers.set(model, numbers.get(model) ?? numbers.size);
    const key = [...models].map((model) => numbers.get(model)).join();
    const pattern = patterns.get(key) ?? { models, rows: 0 };
    pattern.rows += 1;
    patterns.set(key, pattern);
  }
  return [...patterns.values()].sort((one, other) => other.rows - one.rows);
}

function rowsOf<T>(models: ReadonlySet<T>, patterns: readonly Pattern<T>[]): number {
  return patterns.reduce(
    (sum, { models: known, rows }) =>
      [...models].every((model) => known.has(model)) ? sum + rows : sum,
    0,
  );
}

/** The model without which the most rows come in, or of equal ones that which the most rows lack. */
function mostMissed<T>(models: ReadonlySet<T>, patterns: readonly Pattern<T>[]): T {
  const missed = [...models].map((model) => ({ model, alone: 0, rows: 0 }));
  for (const { models: known, rows } of patterns) {
    const lacking = missed.filter(({ model }) => !known.has(model));
    for (const one of lacking) {
      one.rows += rows;
      if (lacking.length === 1) one.alone += rows;
    }
  }
  const worst = missed.reduce((one, other) =>
    (other.alone - one.alone || other.rows - one.rows) > 0 ? other : one,
  );
  return worst.model;
}
