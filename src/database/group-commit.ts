import { setImmediate as nextRound, setTimeout as delay } from 'node:timers/promises';
import { ConnectionLost, failureOf } from './failure.js';

/**
 * Gathers what many callers write at the same time into few transactions.
 *
 * `commit` writes a batch in one transaction and resolves when it is durable. A batch whose outcome
 * was lost with its connection is committed again, so writing a row twice must change nothing.
 */
export class GroupCommit<Row> {
  private readonly waiting: Waiting<Row>[] = [];
  private readonly writing = new Set<Waiting<Row>>();
  private running: Promise<void> | undefined;
  private closed = false;
  /** Until when rows count as coming one upon the other. */
  private crowdedUntil = -Infinity;

  /** @param gatherMs how long the first row of a batch waits for others. */
  constructor(
    private readonly commit: (rows: readonly Row[]) => Promise<unknown>,
    private readonly gatherMs = GATHER_MS,
  ) {}

  /**
   * Resolves when the row is durable. While the database is away it waits in memory.
   *
   * @throws what the database says against this very row; its neighbours are written.
   * ConnectionLost when the writer was closed before: the row may have been written nevertheless.
   */
  add(row: Row): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.closed) {
        reject(givenUp());
        return;
      }
      this.waiting.push({ row, addedAt: performance.now(), resolve, reject });
      this.running ??= this.run();
    });
  }

  /** Waits for the rows at hand, at most so long, and gives the others up; says how many. */
  async close(patienceMs: number): Promise<number> {
    await this.idle(patienceMs);
    this.closed = true;
    const lost = [...this.writing, ...this.waiting.splice(0)];
    this.writing.clear();
    for (const { reject } of lost) reject(givenUp());
    return lost.length;
  }

  /** Resolves when nothing waits to be written, or after so long. */
  async idle(patienceMs: number): Promise<void> {
    await Promise.race([this.running, delay(patienceMs, undefined, { ref: false })]);
  }

  private async run(): Promise<void> {
    // Everything that this round of the event loop still brings joins the first batch.
    await nextRound();
    while (this.waiting.length > 0) {
      await this.gather();
      await this.write(this.waiting.splice(0, MOST_ROWS));
    }
    this.running = undefined;
  }

  /** Where many calls are in flight, more rows will come at once; a few wait for nobody. */
  private async gather(): Promise<void> {
    const { length, 0: first } = this.waiting;
    const now = performance.now();
    if (length >= CROWD) this.crowdedUntil = now + CROWDED_MS;
    if (!first || length >= MOST_ROWS || now > this.crowdedUntil) return;
    const left = first.addedAt + this.gatherMs - now;
    if (left > 0) await delay(left);
  }

  private async write(batch: readonly Waiting<Row>[]): Promise<void> {
    for (const one of batch) this.writing.add(one);
    for (let pauseMs = 50; !this.closed; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      try {
        await this.commit(batch.map(({ row }) => row));
        this.settle(batch, ({ resolve }) => {
          resolve();
        });
        return;
      } catch (error) {
        if (failureOf(error) === 'fault') {
          if (batch.length > 1) break;
          this.settle(batch, ({ reject }) => {
            reject(error);
          });
          return;
        }
      }
      await delay(pauseMs);
    }
    if (!this.closed) for (const single of batch) await this.write([single]);
  }

  private settle(batch: readonly Waiting<Row>[], end: (one: Waiting<Row>) => void): void {
    for (const one of batch) {
      // Those that were given up have been told already.
      if (this.writing.delete(one)) end(one);
    }
  }
}

interface Waiting<Row> {
  readonly row: Row;
  readonly addedAt: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** One transaction for more rows than this would keep its callers waiting. */
const MOST_ROWS = 200;
const LONGEST_PAUSE_MS = 1_000;
const GATHER_MS = 2;
/** Two rows meet by chance at a moderate rate, where waiting would only make calls slower. */
const CROWD = 3;
/** How long after a batch of so many rows the next ones are expected to have company too. */
const CROWDED_MS = 20;

function givenUp(): ConnectionLost {
  return new ConnectionLost('the writer was closed');
}
