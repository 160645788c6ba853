import { Inject, Injectable } from '@nestjs/common';
import { readFileSync } from 'node:fs';
import { CONFIG, type Config } from '../config/config.js';
import { ConfigError } from '../config/read-config.js';
import { type Model } from '../contract/model.js';
import { type Beliefs, beliefsOf } from './priced-prior.js';
import { type QualityPrior, readPrior } from './quality-prior.js';

/**
 * Holds the table of model qualities: the operator's own, or the one that is shipped.
 *
 * @throws ConfigError when it is made, with every problem of the file.
 */
@Injectable()
export class Priors {
  readonly prior: QualityPrior;
  /** A catalogue's models never change, so what is believed of them is worked out once. */
  private readonly known = new WeakMap<readonly Model[], Beliefs>();

  constructor(@Inject(CONFIG) { routerPriorFile }: Config) {
    this.prior = loadPrior(routerPriorFile);
  }

  /** What is believed of each of a catalogue's models. */
  of(models: readonly Model[]): Beliefs {
    let beliefs = this.known.get(models);
    if (!beliefs) this.known.set(models, (beliefs = beliefsOf(models, this.prior)));
    return beliefs;
  }
}

/**
 * The table of a file, or the shipped one.
 *
 * @param name by which problems call it.
 * @throws ConfigError with every problem of the file.
 */
export function loadPrior(path: string | undefined, name = 'ROUTER_PRIOR_FILE'): QualityPrior {
  return path === undefined ? (shipped ??= readFrom(SHIPPED, name)) : readFrom(path, name);
}

const SHIPPED = new URL('quality-prior.yaml', import.meta.url);

/** Read once: it takes a tenth of a second. */
let shipped: QualityPrior | undefined;

function readFrom(path: string | URL, name: string): QualityPrior {
  const problems: string[] = [];
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError([`${name} cannot be read: ${(error as Error).message}`]);
  }
  const prior = readPrior(text, problems, name);
  if (problems.length > 0) throw new ConfigError(problems);
  return prior;
}
