/** From which part of the time on that the event loop is in use refusals are slowed down. */
const BUSY = 0.6;
const STEP_MS = 5;
/** A refusal still comes within 50 ms. */
const MOST_MS = 35;
/** So many refusals for each call that ends are of callers who come again at once. */
const REFUSALS_PER_CALL = 3;
/** They were asked to come again after a second. */
const MOST_OF_IMPATIENT_MS = 500;
const GROWTH = 1.3;

/** What was seen at one look. */
interface Look {
  /** Whether there is a limit of running calls, or one account floods the others. */
  readonly limited: boolean;
  /** The part of the time in which the event loop had something to do. */
  readonly busy: number;
  readonly refused: number;
  readonly ended: number;
}

/**
 * How long who was just refused is kept waiting, in ms, before its next call is looked at: more while
 * the event loop is busy, as refusing must not take the time that calls need. Where nearly all of it
 * is refusing, since callers come again at once, it is more than else a refusal may take.
 */
export class RefusalDelay {
  ms = 0;

  see({ limited, busy, refused, ended }: Look): void {
    if (!limited) this.ms = 0;
    else if (busy <= BUSY) this.ms = Math.max(0, this.ms - Math.max(1, 0.05 * this.ms));
    else if (this.ms < MOST_MS) this.ms = Math.min(this.ms + STEP_MS, MOST_MS);
    else if (refused > REFUSALS_PER_CALL * ended)
      this.ms = Math.min(GROWTH * this.ms, MOST_OF_IMPATIENT_MS);
    else this.ms = Math.max(MOST_MS, this.ms / GROWTH);
  }
}
