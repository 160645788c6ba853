/** A provider that sends more of them is at work, and its caller may wait for a sign of that. */
const MOST_HELD_BACK = 3;

/**
 * What a provider sends before its answer begins only to say that it is there. The first of them are held
 * back: they would bind the caller to a model that may still fail.
 */
export class LeadingPings {
  private count = 0;

  /** Counts one more, and tells whether it is held back. */
  holdsBack(): boolean {
    this.count += 1;
    return this.count <= MOST_HELD_BACK;
  }
}
