/** How long a look at the event loop lasts. */
export const LOOK_MS = 250;
/** So late, for so many looks on end, is more work than the process can do, and no burst. */
const LATE_MS = 40;
const LOOKS_UNTIL_LIMITED = 12;
/** As few connections as this are never the reason, unless the loop stands still. */
const FEW_CONNECTIONS = 200;
const STANDSTILL_MS = 1_000;
/** What the limit keeps the lateness at, and how far it falls for that. */
const AIM_MS = 25;
const LEAST_CALLS = 20;
/** After so many looks at which nobody was refused there is no limit any more. */
const QUIET_LOOKS = 20;

/** What was seen at one look. */
export interface Look {
  /** How late the event loop ran what was due, in ms, on average. */
  readonly lateMs: number;
  /** The most calls that ran at once since the last look. */
  readonly running: number;
  /** Callers' connections; the requests of some of them may not have been looked at yet. */
  readonly connections: number;
  /** Whether a call was refused since the last look. */
  readonly refused: boolean;
}

/**
 * How many calls may run at once: without limit until many callers make the event loop late for three
 * seconds, then as many as keep it in time. Falls by a tenth at each look that finds it late, and
 * rises by a tenth at the others.
 */
export class CallLimit {
  private late = 0;
  private quiet = 0;
  /** Infinity: no limit. */
  most = Infinity;

  see({ lateMs, running, connections, refused }: Look): void {
    if (this.most === Infinity) {
      const isTooMuch = connections > FEW_CONNECTIONS ? lateMs > LATE_MS : lateMs > STANDSTILL_MS;
      this.late = isTooMuch ? this.late + 1 : 0;
      if (this.late < LOOKS_UNTIL_LIMITED) return;
      this.quiet = 0;
    }
    const isLate = lateMs > AIM_MS;
    const next = isLate ? 0.9 * Math.min(this.most, running) : 1.1 * this.most;
    this.most = Math.max(LEAST_CALLS, next);
    this.quiet = refused || isLate ? 0 : this.quiet + 1;
    if (this.quiet < QUIET_LOOKS) return;
    this.most = Infinity;
    this.late = 0;
  }
}
