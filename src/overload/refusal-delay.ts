import { type Look } from './call-limit.js';

/** From which part of the time on that the event loop is in use refusals are slowed down. */
const BUSY = 0.6;
const STEP_MS = 5;
/** A refusal still comes within 50 ms. */
const MOST_MS = 35;

/**
 * How long who was just refused is kept waiting, in ms, before its next call is looked at: in a flood
 * more while the event loop is busy, as refusing must not take the time that others need.
 */
export class RefusalDelay {
  ms = 0;

  see({ flooded, busy }: Pick<Look, 'flooded' | 'busy'>): void {
    const next = this.ms + (busy > BUSY ? STEP_MS : -1);
    this.ms = flooded ? Math.min(Math.max(0, next), MOST_MS) : 0;
  }
}
