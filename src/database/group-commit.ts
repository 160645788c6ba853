import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { failureOf } from './failure.js';

/**
 * Gathers what many callers write at the same time into few transactions.
 *
 * `commit` writes a batch in one transaction and resolves when it is durable. A batch whose outcome
 * was lost with its connection is committed again, so writing a row twice must change nothing.
 */
export class GroupCommit<Row> {
  private readonly waiting: Waiting<Row>[] = [];
  private running: Promise<void> | undefined;
  private unwritten = 0;
  private closed = false;

  constructor(private readonly commit: (rows: readonly Row[]) => Promise<unknown>) {}

  /**
   * Resolves when the row is durable. While the database is away it waits in memory.
   *
   * @throws what the database says against this very row; its neighbours are written.
   */
  add(row: Row): Promise<void> {
    return new Promise((resolve, reject) => {
      this.unwritten += 1;
      this.waiting.push({ row, resolve, reject });
      this.running ??= this.run();
    });
  }

  /** Waits for the rows at hand, at most so long, and gives the others up; says how many. */
  async close(patienceMs: number): Promise<number> {
    await Promise.race([this.running, delay(patienceMs, undefined, { ref: false })]);
    this.closed = true;
    return this.unwritten;
  }

  private async run(): Promise<void> {
    // Everything that this turn of the event loop still brings joins the first batch.
    await nextTurn();
    while (this.waiting.length > 0) {
      await this.write(this.waiting.splice(0, MOST_ROWS));
    }
    this.running = undefined;
  }

  private async write(batch: readonly Waiting<Row>[]): Promise<void> {
    for (let pauseMs = 50; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      try {
        await this.commit(batch.map(({ row }) => row));
        this.unwritten -= batch.length;
        for (const { resolve } of batch) resolve();
        return;
      } catch (error) {
        const hopeless = this.closed || failureOf(error) === 'fault';
        if (hopeless && batch.length > 1) break;
        if (hopeless) {
          this.unwritten -= 1;
          batch[0]?.reject(error);
          return;
        }
      }
      await delay(pauseMs);
    }
    for (const single of batch) await this.write([single]);
  }
}

interface Waiting<Row> {
  readonly row: Row;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** PostgreSQL takes 65,535 parameters a statement, SQLite 32,766. */
const MOST_ROWS = 200;
const LONGEST_PAUSE_MS = 1_000;
