import { MOST_CONNECTING_MS } from './cluster/quiet.js';
import { type StopLimits } from './cluster/supervisor.js';
import { type Config } from './config/config.js';
import { LONGEST_TIMER_MS } from './contract/longest-timer.js';

/** For how long requests are taken at least: whoever looks at readiness meanwhile hears of the stop. */
const LEAST_TAKING_MS = 500;
/** For error events to reach their readers. */
export const LAST_WORDS_MS = 500;
/** For calls that were broken off to end with what was tried; a part of that. */
export const TELLING_MS = 200;
/** For the records to be written, and everything to be closed. */
export const CLOSING_MS = 10_000;
/** What a process is late by that still works. */
const LATE_MS = 2_000;
/** For the first process to take in no connection any more. */
export const UNLISTENED_MS = MOST_CONNECTING_MS + LATE_MS / 2;

/** For how long requests are taken after the signal. */
export function takingMs({ drainDelayMs }: Pick<Config, 'drainDelayMs'>): number {
  return Math.max(drainDelayMs, LEAST_TAKING_MS);
}

/** After how long a process that was told to stop, or to hurry with that, does so no more. */
export function longestStop(config: Config): StopLimits {
  const hurriedMs = LAST_WORDS_MS + CLOSING_MS + LATE_MS;
  const toldMs = takingMs(config) + MOST_CONNECTING_MS + config.graceMs + hurriedMs;
  return { toldMs: Math.min(toldMs, LONGEST_TIMER_MS), hurriedMs };
}
