import { Injectable } from '@nestjs/common';
import { type Attempt } from '../contract/usage-record.js';

/** How much the newest answer counts against those before it. */
const NEWEST = 0.2;
/** More models than this are not remembered; a catalogue has far fewer. */
const MOST_MODELS = 2_000;

/** How long models have taken lately, as this process has seen it. */
@Injectable()
export class Latencies {
  private readonly means = new Map<string, number>();

  /** Takes in how long the answer took, or the first piece of a streamed one. */
  note(attempts: readonly Attempt[], stream: boolean): void {
    for (const { model, status, ms } of attempts) {
      if (status !== 200) continue;
      const key = keyOf(model, stream);
      const before = this.means.get(key);
      if (before === undefined && this.means.size >= MOST_MODELS) continue;
      this.means.set(key, before === undefined ? ms : before + NEWEST * (ms - before));
    }
  }

  /** Milliseconds; null for a model that has not answered yet. */
  of(model: string, stream: boolean): number | null {
    const mean = this.means.get(keyOf(model, stream));
    return mean === undefined ? null : Math.round(mean);
  }
}

function keyOf(model: string, stream: boolean): string {
  return stream ? `${model} streamed` : model;
}
