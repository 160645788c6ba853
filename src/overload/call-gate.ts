import { Shares } from './shares.js';
import { WaitingLine } from './waiting-line.js';

/** Who would have to wait for longer is refused. */
const MOST_WAIT_MS = 100;
/** And so is who had to, since fewer calls have ended than before. */
const LONGEST_WAIT_MS = 1_000;
/** How much the last look weighs in the pace. */
const WEIGHT = 0.2;

/** When a call may begin. */
export type Opening = 'now' | 'later' | 'never';

/**
 * Counts the calls that run in the process, by account, and says when another one may begin: at once,
 * when others have ended, for which it waits here, or not at all.
 */
export class CallGate {
  private readonly running = new Shares();
  private readonly line = new WaitingLine();
  private most = Infinity;
  private flooding: string | undefined;
  private ended = 0;
  private highest = 0;
  /** How many calls end in a millisecond. */
  pace = 0;

  get waiting(): number {
    return this.line.length;
  }

  /**
   * Whether an account may begin a call: while fewer run than may, and beyond that if it has less
   * than an equal part of them. While one account floods the others, its calls alone are limited. So
   * many wait as can begin soon.
   */
  opening(account: string): Opening {
    if (this.mayBegin(account)) return 'now';
    const ahead = this.limited - this.most + this.line.length;
    return ahead < this.pace * MOST_WAIT_MS ? 'later' : 'never';
  }

  /** @returns ends the call. */
  begin(account: string): () => void {
    this.running.add(account, 1);
    this.highest = Math.max(this.highest, this.limited);
    return () => {
      this.running.add(account, -1);
      this.ended += 1;
      this.letIn();
    };
  }

  /**
   * Waits until a call may begin.
   *
   * @param end is called when it may, or with false when that took too long.
   * @returns leaves the line.
   */
  wait(account: string, end: (mayBegin: boolean) => void): () => void {
    return this.line.join(account, end);
  }

  /** Takes a look at the pace; gives the most calls that ran at once since the last one. */
  look(forMs: number): number {
    this.pace += WEIGHT * (this.ended / forMs - this.pace);
    this.ended = 0;
    return this.highest;
  }

  /** Sets how many may run, of the account that floods the others if there is one. */
  limitTo(most: number, flooding: string | undefined): void {
    this.most = most;
    this.flooding = flooding;
    this.highest = this.limited;
    this.letIn();
    this.line.sendAway(LONGEST_WAIT_MS);
  }

  /** The calls that the limit is meant for. */
  private get limited(): number {
    return this.flooding === undefined ? this.running.total : this.running.of(this.flooding);
  }

  private mayBegin(account: string): boolean {
    if (this.limited < this.most) return true;
    if (this.flooding !== undefined) return account !== this.flooding;
    return !this.running.isBeyond(account, 1, this.most);
  }

  private letIn(): void {
    this.line.letIn((account) => this.mayBegin(account));
  }
}
