import { type Logger } from '@nestjs/common';
import { setImmediate as nextRound } from 'node:timers/promises';
import { GroupCommit } from './group-commit.js';

/** The writers of a database, and what has to be done when they are closed. */
export class Writers {
  private readonly closings: GroupCommit<unknown>['close'][] = [];
  private readonly lastWorks: (() => Promise<void>)[] = [];

  constructor(private readonly logger: Logger) {}

  /** A writer whose batches are made durable by `commit`. */
  add<Row>(commit: (rows: readonly Row[]) => Promise<unknown>): GroupCommit<Row> {
    const writer = new GroupCommit<Row>(commit);
    this.closings.push((patienceMs) => writer.close(patienceMs));
    return writer;
  }

  /** Adds work for the end, when the writers have given up what they could not write. */
  lastly(work: () => Promise<void>): void {
    this.lastWorks.push(work);
  }

  /** Lets the writers write what they have, for a while, and does the last works. */
  async close(): Promise<void> {
    for (const close of this.closings) {
      const lost = await close(DRAIN_MS);
      if (lost > 0) this.logger.error(`${lost} rows could not be written before the end`);
    }
    // Those who waited for these rows hear of it first.
    await nextRound();
    for (const work of this.lastWorks) await work();
  }
}

const DRAIN_MS = 2_000;
