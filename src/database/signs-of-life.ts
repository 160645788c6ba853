import { type Logger } from '@nestjs/common';

/** When the database was last known to answer, and whether it takes what is written. */
export class SignsOfLife {
  private isRefused = false;
  /** On the monotonic clock. */
  private seenAt = -Infinity;

  constructor(private readonly logger: Pick<Logger, 'log' | 'error'>) {}

  /** It answers, but the last write was refused: a disk that is full, or was made read-only. */
  get isRefusing(): boolean {
    return this.isRefused;
  }

  /** Whether there was one a moment ago, and none of the contrary since. */
  get isFresh(): boolean {
    return performance.now() - this.seenAt < FRESH_MS;
  }

  /** Whether it did not answer when it was asked last. */
  get isLost(): boolean {
    return this.seenAt === -Infinity;
  }

  seen(): void {
    this.seenAt = performance.now();
  }

  lost(): void {
    this.seenAt = -Infinity;
  }

  /** It has taken what was written. */
  took(): void {
    if (this.isRefused) this.logger.log('The database takes what is written again.');
    this.isRefused = false;
  }

  /** It has not, and will not take anything else either. */
  refused(error: unknown): void {
    if (!this.isRefused) this.logger.error(`The database takes nothing: ${String(error)}`);
    this.isRefused = true;
  }
}

const FRESH_MS = 200;
