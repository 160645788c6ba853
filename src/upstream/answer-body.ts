import { setImmediate as nextRound } from 'node:timers/promises';
import { type Dispatcher } from 'undici';
import { type TimeLimit } from './time-limit.js';

/** Chunks that wait for a slow reader before the provider's connection is paused. */
const HIGH_WATER_BYTES = 64 * 1024;

/** Chunks that were taken and are still in the list. */
const MOST_TAKEN = 1_024;

/** How long a reader works on pieces that are there before others are served. */
const SLICE_MS = 10;

/** How long, and for how much, a provider may go on when its reader has left. */
const LAST_WORDS_MS = 250;
const LAST_WORDS_BYTES = 64 * 1024;

/**
 * The body of a provider's answer as it arrives, for one reader. However much there is to read, others are
 * served between; a slow reader pauses the connection. One that leaves early frees it: for another call
 * where the answer ends soon, as it does behind the last event of a stream, else by cutting it.
 */
export class AnswerBody implements AsyncIterable<Buffer>, AsyncIterator<Buffer> {
  private readonly chunks: Buffer[] = [];
  /** Those before it were taken: to shift each one takes too long where there are thousands. */
  private first = 0;
  private bytes = 0;
  private state: 'open' | 'ended' | 'failed' = 'open';
  private error: unknown;
  private waiting: PromiseWithResolvers<IteratorResult<Buffer>> | undefined;
  /** Of the reader since the event loop has come round for it. */
  private workedMs = 0;
  /** When the reader was given its last piece. */
  private givenAt = performance.now();
  /** Runs when the reader has left. */
  private leaving: NodeJS.Timeout | undefined;

  /**
   * @param silence runs out when no piece has come for too long; what its reader has paused is not
   * silent.
   */
  constructor(
    private readonly controller: Dispatcher.DispatchController,
    private readonly silence: TimeLimit,
  ) {}

  push(chunk: Buffer): void {
    this.silence.beginAnew();
    if (this.waiting) {
      this.givenAt = performance.now();
      this.waiting.resolve({ done: false, value: chunk });
      this.waiting = undefined;
      return;
    }
    this.bytes += chunk.length;
    if (this.leaving) {
      if (this.bytes > LAST_WORDS_BYTES) this.cut();
      return;
    }
    this.chunks.push(chunk);
    if (this.bytes > HIGH_WATER_BYTES) this.controller.pause();
  }

  end(): void {
    this.stopTimers();
    this.state = 'ended';
    this.waiting?.resolve({ done: true, value: undefined });
    this.waiting = undefined;
  }

  fail(error: unknown): void {
    this.stopTimers();
    this.state = 'failed';
    this.error = error;
    this.waiting?.reject(error);
    this.waiting = undefined;
  }

  next(): Promise<IteratorResult<Buffer>> {
    this.workedMs += performance.now() - this.givenAt;
    // At its end there is nothing to work on, and who reads ahead has it before anything else happens.
    if (this.workedMs < SLICE_MS || this.isOver) return this.take();
    this.workedMs = 0;
    return nextRound().then(() => this.take());
  }

  private get isOver(): boolean {
    return this.state !== 'open' && this.first === this.chunks.length;
  }

  private take(): Promise<IteratorResult<Buffer>> {
    this.givenAt = performance.now();
    const chunk = this.chunks[this.first];
    if (chunk) {
      this.first += 1;
      this.forgetTaken();
      this.bytes -= chunk.length;
      if (this.bytes <= HIGH_WATER_BYTES / 2) this.resume();
      return Promise.resolve({ done: false, value: chunk });
    }
    if (this.state === 'ended') return Promise.resolve({ done: true, value: undefined });
    // Whatever was thrown or given as the signal's reason is what the reader sees.
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
    if (this.state === 'failed') return Promise.reject(this.error);
    this.waiting = Promise.withResolvers<IteratorResult<Buffer>>();
    return this.waiting.promise;
  }

  private forgetTaken(): void {
    if (this.first < MOST_TAKEN && this.first < this.chunks.length) return;
    this.chunks.splice(0, this.first);
    this.first = 0;
  }

  return(): Promise<IteratorResult<Buffer>> {
    if (this.state === 'open' && !this.leaving) this.leave();
    return Promise.resolve({ done: true, value: undefined });
  }

  private leave(): void {
    this.chunks.length = 0;
    this.first = 0;
    this.bytes = 0;
    this.leaving = setTimeout(() => {
      this.cut();
    }, LAST_WORDS_MS).unref();
    this.resume();
  }

  private resume(): void {
    if (!this.controller.paused) return;
    this.silence.beginAnew();
    this.controller.resume();
  }

  private stopTimers(): void {
    this.silence.end();
    clearTimeout(this.leaving);
  }

  private cut(): void {
    this.controller.abort(new Error('the reader left'));
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
