import { type StopLimits } from './cluster/supervisor.js';
import { type Config } from './config/config.js';

/** When the listener closes, however many connections still come. */
export const MOST_CONNECTING_MS = 5_000;
/** For error events to reach their readers. */
export const LAST_WORDS_MS = 500;
/** For calls that were broken off to end with what was tried; a part of that. */
export const TELLING_MS = 200;
/** For the records to be written, and everything to be closed. */
export const CLOSING_MS = 10_000;
/** What a process is late by that still works. */
const LATE_MS = 2_000;
/** A timer for longer than that would end at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** After how long a process that was told to stop, or to hurry with that, does so no more. */
export function longestStop({ drainDelayMs, graceMs }: Config): StopLimits {
  const hurriedMs = LAST_WORDS_MS + CLOSING_MS + LATE_MS;
  const toldMs = drainDelayMs + MOST_CONNECTING_MS + graceMs + hurriedMs;
  return { toldMs: Math.min(toldMs, LONGEST_TIMER_MS), hurriedMs };
}
