import { Injectable } from '@nestjs/common';
import { TimedCache } from '../accounts/timed-cache.js';
import { type Attempt } from '../contract/usage-record.js';

/** How much the newest answer counts against those before it. */
const NEWEST = 0.2;
/** More than a catalogue has, streamed and not. */
const MOST_MEANS = 4_000;
/** A model that is not asked because it was slow once would never be faster. */
const FORGOTTEN_MS = 5 * 60_000;

/** How long models have taken in the last minutes, as this process has seen it. */
@Injectable()
export class Latencies {
  private readonly means = new TimedCache<number>({ size: MOST_MEANS, ms: FORGOTTEN_MS });

  /** Takes in how long the answer took, or the first piece of a streamed one. */
  note(attempts: readonly Attempt[], stream: boolean): void {
    for (const { model, status, ms } of attempts) {
      if (status !== 200) continue;
      const key = keyOf(model, stream);
      const before = this.means.get(key) ?? ms;
      this.means.set(key, before + NEWEST * (ms - before));
    }
  }

  /** Milliseconds; null for a model that has not answered lately. */
  of(model: string, stream: boolean): number | null {
    const mean = this.means.get(keyOf(model, stream));
    return mean === undefined ? null : Math.round(mean);
  }
}

function keyOf(model: string, stream: boolean): string {
  return stream ? `${model} streamed` : model;
}
