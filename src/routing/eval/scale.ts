import { logOdds, shareOf } from '../log-odds.js';
import { type Beliefs } from '../priced-prior.js';
import { ofEveryClass, type Qualities } from '../quality-prior.js';

/** One or two numbers may correct what is believed of their models; more have a scale of their own. */
const LEAST_OF_A_SCALE = 3;

/**
 * What is said of some models, and what is believed of the others moved onto the same scale: by the
 * median of what is between the two where both are known.
 */
export function onScaleOf(said: Beliefs, believed: Beliefs): Beliefs {
  if (said.size < LEAST_OF_A_SCALE) return new Map([...believed, ...said]);
  const move = ofEveryClass((task) =>
    median(
      [...said].flatMap(([id, own]) => {
        const other = believed.get(id);
        return other ? logOdds(own[task]) - logOdds(other[task]) : [];
      }),
    ),
  );
  const placed = (one: Qualities) =>
    ofEveryClass((task) => shareOf(logOdds(one[task]) + move[task]));
  return new Map([...believed].map(([id, one]) => [id, said.get(id) ?? placed(one)]));
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  const upper = sorted[sorted.length >> 1] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[sorted.length / 2 - 1] ?? 0)) / 2;
}
