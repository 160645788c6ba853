import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  DummyDriver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { BackgroundWorker } from '../threads/background-worker.js';
import { ConnectionLost } from './failure.js';
import { REPORT_MS } from './report-queue.js';

const LIMITS = { mostWaiting: 64, mostMs: REPORT_MS, idleMs: 60_000 };

interface Question {
  readonly path: string;
  readonly text: string;
  readonly parameters: readonly unknown[];
}

interface Answer {
  readonly rows?: readonly unknown[];
  readonly failure?: { readonly message: string; readonly code: unknown };
}

/**
 * For statements that read a lot of a file: they run in another thread, as SQLite keeps the thread
 * waiting in which it runs. One after the other, and only those that read.
 *
 * @param path of the database's file.
 */
export function reportsOnSqlite(path: string): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new ReportDriver(path),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

class ReportDriver extends DummyDriver {
  private readonly thread = new BackgroundWorker<Question, Answer>(
    new URL('./sqlite-report-worker', import.meta.url),
    LIMITS,
  );

  constructor(private readonly path: string) {
    super();
  }

  override acquireConnection(): Promise<DatabaseConnection> {
    return Promise.resolve({
      executeQuery: (query) => this.execute(query),
      streamQuery: () => {
        throw new Error('Reports are read as a whole.');
      },
    });
  }

  override destroy(): Promise<void> {
    return this.thread.stop();
  }

  private async execute<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const answer = await this.thread.ask({ path: this.path, text: sql, parameters });
    if (!answer) throw new ConnectionLost('the thread for reports gave no answer');
    const { rows, failure } = answer;
    if (failure) throw Object.assign(new Error(failure.message), { code: failure.code });
    return { rows: (rows ?? []) as Row[] };
  }
}
