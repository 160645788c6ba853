import { AIM_BUSY } from './call-limit.js';

const STEP_MS = 5;
/** Longer would be better against callers that come again at once, were it not for the other bound. */
const MOST_MS = 20;
/** With what the event loop is late by, so that a refusal still comes within 50 ms. */
const MOST_TOGETHER_MS = 35;

/** What was seen at one look. */
interface DelayLook {
  /** Whether there is a limit of running calls, or one account floods the others. */
  readonly isLimited: boolean;
  /** The part of the time in which the event loop had something to do. */
  readonly busy: number;
  /** How late it ran what was due, in ms, on average. */
  readonly lateMs: number;
}

/**
 * How long who was just refused is kept waiting, in ms, before its next call is looked at: more while
 * the event loop is busy, as refusing must not take the time that calls need.
 */
export class RefusalDelay {
  ms = 0;

  see({ isLimited, busy, lateMs }: DelayLook): void {
    const next = this.ms + (busy > AIM_BUSY ? STEP_MS : -1);
    const most = Math.min(MOST_MS, MOST_TOGETHER_MS - lateMs);
    this.ms = isLimited ? Math.max(0, Math.min(next, most)) : 0;
  }
}
