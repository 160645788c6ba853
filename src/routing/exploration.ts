import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';

/** The first so many of a ranking are worth a try. */
const WORTH_A_TRY = 3;

/** Now and then lets another of the best models begin, so that feedback can come for it too. */
@Injectable()
export class Exploration {
  private readonly share: number;

  constructor(@Inject(CONFIG) { routerExploration }: Config) {
    this.share = routerExploration;
  }

  /**
   * The ranking, or in `ROUTER_EXPLORATION` of the cases the second or third moved to its top, but none
   * that fails.
   */
  order<T extends { readonly failing?: true }>(ranking: readonly T[]): readonly T[] {
    // Those that fail stand last.
    const others = ranking.slice(0, WORTH_A_TRY).filter(({ failing }) => !failing).length - 1;
    if (this.share === 0 || others < 1 || Math.random() >= this.share) return ranking;
    return movedToTop(ranking, 1 + Math.floor(Math.random() * others));
  }
}

/** The same entries with one of them first. */
export function movedToTop<T>(ranking: readonly T[], index: number): readonly T[] {
  return [...ranking.slice(index, index + 1), ...ranking.toSpliced(index, 1)];
}
