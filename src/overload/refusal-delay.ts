import { AIM_BUSY } from './call-limit.js';

const STEP_MS = 5;
/** With what the event loop is late by, a refusal still comes within 50 ms. */
const MOST_MS = 20;

/**
 * How long who was just refused is kept waiting, in ms, before its next call is looked at: more while
 * the event loop is busy, as refusing must not take the time that calls need.
 */
export class RefusalDelay {
  ms = 0;

  /**
   * @param isLimited whether there is a limit of running calls, or one account floods the others.
   * @param busy the part of the time in which the event loop had something to do.
   */
  see(isLimited: boolean, busy: number): void {
    const next = this.ms + (busy > AIM_BUSY ? STEP_MS : -1);
    this.ms = isLimited ? Math.min(Math.max(0, next), MOST_MS) : 0;
  }
}
