/** Each request earns this much of a retry. */
const EARNED = 0.1;
/** What is there at the start, and the most that is saved. */
const SAVED = 4;
/** So many requests earn nothing, since a fifth of theirs was there at the start. */
const PAID_IN_ADVANCE = 20;

/**
 * Keeps retries that are in vain, and calls that are made twice at once, to a small share of the
 * requests, so that a provider that is down gets at most a tenth more of them and four; from the
 * twentieth request on, one that was never up gets at most a fifth more:
 * https://sre.google/sre-book/addressing-cascading-failures/. Retries that work do not use it up, as
 * in AWS's SDKs: https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html
 */
export class RetryBudget {
  private left = SAVED;
  private inAdvance = PAID_IN_ADVANCE;

  /** A request has been made for the first time. */
  earn(): void {
    if (this.inAdvance > 0) {
      this.inAdvance -= 1;
      return;
    }
    this.left = Math.min(SAVED, this.left + EARNED);
  }

  /** Whether one more retry is in it; takes it. */
  spend(): boolean {
    if (this.left < 1) return false;
    this.left -= 1;
    return true;
  }

  /** So many retries have worked, or were not made. */
  giveBack(retries: number): void {
    this.left = Math.min(SAVED, this.left + retries);
  }
}
