import { Shares } from './shares.js';
import { WaitingLine } from './waiting-line.js';

/** A call is refused at once when it could not begin within this time, by the pace at which calls end. */
const MOST_WAIT_MS = 100;
/** Of a flood's calls more may wait: to refuse those that come again at once would cost more. */
const MOST_WAIT_IN_FLOOD_MS = 300;
/** One that has waited for so long is refused as well: the pace has fallen since. */
export const LONGEST_WAIT_MS = 1_000;
/** How much the last look weighs in the pace. */
const WEIGHT = 0.2;

/** When a call may begin. */
export type Opening = 'now' | 'later' | 'never';

/** How a call that had begun has ended: one that was shed all the same says nothing of the pace. */
type CallEnd = 'served' | 'shed';

/** What was seen of the calls at one look. */
interface GateLook {
  /** The most that ran at once since the last look, of those that the limit is meant for. */
  readonly running: number;
  /** How many of them run now. */
  readonly current: number;
  /** How many end in a millisecond, the looks before included. */
  readonly pace: number;
}

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
  private pace = 0;

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
    const mostMs = this.flooding === undefined ? MOST_WAIT_MS : MOST_WAIT_IN_FLOOD_MS;
    return ahead < this.pace * mostMs ? 'later' : 'never';
  }

  /** @returns ends the call. */
  begin(account: string): (how: CallEnd) => void {
    this.running.add(account, 1);
    this.highest = Math.max(this.highest, this.limited);
    return (how) => {
      this.running.add(account, -1);
      if (how === 'served') this.ended += 1;
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

  /**
   * Takes a look, and begins to count for the next one.
   *
   * @param forMs how long ago the last one was.
   */
  look(forMs: number): GateLook {
    this.pace += WEIGHT * (this.ended / forMs - this.pace);
    const running = this.highest;
    this.ended = 0;
    this.highest = this.limited;
    return { running, current: this.limited, pace: this.pace };
  }

  /** Sets how many may run, of the account that floods the others if there is one. */
  limitTo(most: number, flooding: string | undefined): void {
    this.most = most;
    // How many of other calls ran is nothing to these.
    if (flooding !== this.flooding) {
      this.flooding = flooding;
      this.highest = this.limited;
    }
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
