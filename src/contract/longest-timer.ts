/**
 * The longest time that a timer can wait, in ms; one for longer ends at once.
 * https://nodejs.org/api/timers.html
 */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
