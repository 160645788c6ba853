/** How long a look at the event loop lasts. */
export const LOOK_MS = 250;
/** So late, for so many looks on end, is more work than the process can do, and no burst. */
const LATE_MS = 40;
const LOOKS_UNTIL_LIMITED = 12;
/** As few connections as this are never the reason, unless the loop stands still. */
const FEW_CONNECTIONS = 200;
const STANDSTILL_MS = 1_000;
/** What the limit keeps the lateness at. */
const AIM_MS = 25;
/**
 * While it clears a backlog it falls by half, until the lateness is no more than this, or for so many looks.
 */
const CLEARING_FALL = 0.5;
const CLEARED_MS = 10 * AIM_MS;
const MOST_CLEARING_LOOKS = 8;
/**
 * What it keeps the process busy at while one account floods the others, as the part of the time in
 * which the event loop has something to do: whoever comes then seldom has to wait.
 */
export const AIM_BUSY = 0.35;
const TOO_BUSY = 0.65;
const LOOKS_OF_FLOOD = 2;
const LEAST_CALLS = 20;
/** Of a flood alone: at a quick provider twenty are already hundreds a second. */
const LEAST_OF_FLOOD = 5;
/** The limit falls only while calls end at this part of the pace before it, or faster. */
const KEPT = 0.85;
const RISE = 1.1;
/** With half of its time to spare, the calls are lighter than those for which the limit was found. */
const SPARE_BUSY = 0.5;
const RISE_WITH_SPARE = 1.5;
/** By this, calls of accounts with less than an equal part may be more than the limit. */
const MOST_BEYOND = 1.1;
/** After so many looks at which nobody was refused or had to wait there is no limit any more. */
const QUIET_LOOKS = 20;

/** What was seen at one look. */
export interface Look {
  /** How late the event loop ran what was due, in ms, on average. */
  readonly lateMs: number;
  /** The part of the time in which the event loop had something to do. */
  readonly busy: number;
  /** Whether one account asks for most of the calls, while others call, too. */
  readonly flooded: boolean;
  /** The most calls that ran at once since the last look. */
  readonly running: number;
  /** How many run now. */
  readonly current: number;
  /** How many calls end in a millisecond. */
  readonly pace: number;
  /** Callers' connections; the requests of some of them may not have been looked at yet. */
  readonly connections: number;
  /** Whether a call was refused or had to wait since the last look. */
  readonly pressed: boolean;
}

/**
 * How many calls may run at once. There is no limit until many callers make the event loop late for
 * three seconds, or a flood keeps it busy for half a second. Then the limit falls at each look that
 * finds the loop late (in a flood also too busy), unless more calls run than it lets begin; where it is
 * very late at first, by half. At each other look it rises by a tenth, or by half where the process has
 * time to spare. It rises as well, up to where it began, when fewer calls end than without it and the loop
 * is late all the same: then calls are not the reason, but refusals are, or another program on the machine.
 */
export class CallLimit {
  private late = 0;
  private quiet = 0;
  private wasFlooded = false;
  /** When the limit began. */
  private before = { running: 0, pace: 0 };
  /** At how many more looks it may clear what came before it. */
  private clearingLooks = 0;
  /** Infinity: no limit. */
  most = Infinity;

  /** Whether it has just begun, and a backlog from before makes the loop very late. */
  get isClearing(): boolean {
    return this.clearingLooks > 0;
  }

  see(look: Look): void {
    // A limit for the calls of a flood alone says nothing of all calls.
    if (this.wasFlooded && !look.flooded) this.end();
    this.wasFlooded = look.flooded;
    const begins = this.most === Infinity;
    if (begins) {
      this.late = isTooMuch(look) ? this.late + 1 : 0;
      if (this.late < (look.flooded ? LOOKS_OF_FLOOD : LOOKS_UNTIL_LIMITED)) return;
      this.quiet = 0;
      this.before = { running: look.running, pace: look.pace };
    }
    const isHigh = look.lateMs > AIM_MS || (look.flooded && look.busy > AIM_BUSY);
    const least = look.flooded ? LEAST_OF_FLOOD : LEAST_CALLS;
    this.most = Math.max(least, isHigh ? this.lower(look) : rise(look) * this.most);
    const isFar = !look.flooded && look.lateMs > CLEARED_MS;
    this.clearingLooks = isFar
      ? Math.max(0, begins ? MOST_CLEARING_LOOKS : this.clearingLooks - 1)
      : 0;
    this.quiet = look.pressed || isHigh ? 0 : this.quiet + 1;
    if (this.quiet >= QUIET_LOOKS) this.end();
  }

  private end(): void {
    this.most = Infinity;
    this.late = 0;
    this.clearingLooks = 0;
  }

  private lower(look: Look): number {
    const { running, pace } = this.before;
    const isSlower = !look.flooded && !this.isClearing && look.pace < KEPT * pace;
    if (isSlower) return Math.min(RISE * this.most, running);
    // Long streams run on after it fell: how late these make the loop says nothing of the limit.
    if (look.current > MOST_BEYOND * this.most) return this.most;
    return (this.isClearing ? CLEARING_FALL : fall(look)) * Math.min(this.most, look.running);
  }
}

/** By what the limit falls: by a tenth, or in a flood as far as the loop is too busy, to a half at most. */
function fall({ flooded, busy }: Look): number {
  return flooded ? Math.min(0.95, Math.max(0.5, AIM_BUSY / busy)) : 0.9;
}

/** By what the limit rises; the time that a flood leaves is not to spare, but for the others. */
function rise({ flooded, busy }: Look): number {
  return !flooded && busy < SPARE_BUSY ? RISE_WITH_SPARE : RISE;
}

function isTooMuch({ lateMs, busy, flooded, connections }: Look): boolean {
  if (flooded && busy > TOO_BUSY) return true;
  return connections > FEW_CONNECTIONS ? lateMs > LATE_MS : lateMs > STANDSTILL_MS;
}
