import { type Load } from './by-load.js';
import { LONGEST_REST_MS } from './shared-rests.service.js';

/**
 * How long an address gets no calls that could not be reached: it fails fast, so it would look idle.
 * Doubled each time that it still cannot be.
 */
export const UNREACHED_REST_MS = 5_000;

/** What is known of a deployment, beside what it lacks and what fails there. */
export interface Condition extends Load {
  running: number;
  /** Milliseconds of the clock, until which it rests as it asked for. */
  restsUntil: number;
  /** The same where this process was told, and its key was not refused. */
  usedUpUntil: number;
  /** Until when it rests because it could not be reached. */
  unreachedUntil: number;
  /** How often it could not be reached, since when it was. */
  unreached: number;
  /** Whether a call that began since then is on its way, which shows if it can be reached again. */
  isProving: boolean;
  /** When it was called last: milliseconds of the clock. */
  usedAt: number;
}

/** How a deployment stands, for operators. */
export interface DeploymentState {
  readonly address: string;
  /** Calls that run. */
  readonly running: number;
  /** Milliseconds for which it gets no calls, or none of some model, while another one can serve. */
  readonly restMs: number;
}

/** How one stands that has not been called. */
export const IDLE = {
  running: 0,
  turnEnd: -Infinity,
  restsUntil: -Infinity,
  usedUpUntil: -Infinity,
  unreachedUntil: -Infinity,
  unreached: 0,
  isProving: false,
  usedAt: -Infinity,
} as const satisfies Condition;

/** It has asked for a rest, or its key was refused. */
export function restAsked(condition: Condition, until: number, isRefused: boolean): void {
  condition.restsUntil = Math.max(condition.restsUntil, until);
  condition.usedUpUntil = isRefused ? -Infinity : Math.max(condition.usedUpUntil, until);
}

/** It could not be reached. Calls that failed with the first one say nothing new. */
export function restUnreached(condition: Condition, now: number): void {
  if (condition.unreachedUntil > now) return;
  const ms = Math.min(LONGEST_REST_MS, UNREACHED_REST_MS * 2 ** condition.unreached);
  condition.unreached += 1;
  condition.unreachedUntil = now + ms;
}

/** A call begins there. @returns the means to free it, once; a caller who hangs up frees it too. */
export function occupy(condition: Condition, now: number, signal: AbortSignal): () => void {
  condition.running += 1;
  condition.usedAt = now;
  const proves = condition.unreached > 0 && !condition.isProving;
  if (proves) condition.isProving = true;
  let isBusy = true;
  const release = (): void => {
    if (isBusy) condition.running -= 1;
    if (isBusy && proves) condition.isProving = false;
    isBusy = false;
    signal.removeEventListener('abort', release);
  };
  if (signal.aborted) release();
  else signal.addEventListener('abort', release, { once: true });
  return release;
}
