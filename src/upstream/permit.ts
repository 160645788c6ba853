import { type Bucket } from './breaker-window.js';
import { type Judge, type Verdict } from './verdict.js';

/** A call that was let through, and has to tell how it ended. */
export interface Permit {
  /** The first event of a stream has come; its end is told when it is there. */
  answered(): void;
  /**
   * How the call ended. Only the first word counts.
   *
   * @param restMs for how many milliseconds the provider asks not to be called.
   */
  end(verdict: Verdict, restMs?: number): void;
}

/** What a breaker knows of such a call. */
export interface AdmittedCall {
  readonly begunAt: number;
  /** How often the circuit had been opened by then: a call from before it opened says nothing of now. */
  readonly openings: number;
  readonly isProbe: boolean;
  readonly judge: Judge;
  answerMs?: number;
  /** Of a probe that has answered: takes it for one that works, unless it ends before. */
  proof?: NodeJS.Timeout;
  /** Where it counts as one that works, until its end is known. */
  countedIn?: Bucket;
  isOver: boolean;
}
