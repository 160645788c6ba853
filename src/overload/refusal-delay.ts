import { AIM_BUSY } from './call-limit.js';

const STEP_MS = 5;
/** Longer would be better against callers that come again at once, were it not for the other bound. */
const MOST_MS = 20;
/** With what the event loop is late by, so that a refusal still comes within 50 ms. */
const MOST_TOGETHER_MS = 35;

/**
 * How long who was just refused is kept waiting, in ms, before its next call is looked at: more while
 * the event loop is busy, as refusing must not take the time that calls need.
 */
export class RefusalDelay {
  ms = 0;

  /**
   * @param isLimited whether there is a limit of running calls, or one account floods the others.
   * @param busy the part of the time in which the event loop had something to do.
   * @param lateMs how late it ran what was due, on average.
   */
  see(isLimited: boolean, busy: number, lateMs: number): void {
    const next = this.ms + (busy > AIM_BUSY ? STEP_MS : -1);
    const most = Math.min(MOST_MS, MOST_TOGETHER_MS - lateMs);
    this.ms = isLimited ? Math.max(0, Math.min(next, most)) : 0;
  }
}
