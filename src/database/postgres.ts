import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import { type Pool, type PoolClient } from 'pg';
import { reasonOf } from '../contract/reason-of.js';
import { bindingAlike, READING_ALIKE, wholeNumber } from './column-values.js';
import { type Engine } from './engine.js';
import { ConnectionLost, sqlCode } from './failure.js';
import { PREPARED } from './row-statement.js';
import { type Tables } from './tables.js';
import { REPORT_MS, ReportQueue } from './report-queue.js';

/**
 * Pools of connections to a PostgreSQL database; none is made before the first query.
 *
 * @param onLost called when a connection breaks while nobody is using it.
 */
export async function openPostgres(url: string, onLost: () => void): Promise<Engine> {
  // Not needed by those who stay with SQLite, so it is loaded here.
  const { default: pg } = await import('pg');
  const pools: Pool[] = [];
  const open = (patience: Patience): Kysely<Tables> => {
    const pool = new pg.Pool({
      connectionString: url,
      application_name: 'causeway',
      ...patience,
      idle_in_transaction_session_timeout: LONGEST_PAUSE_MS,
      keepAlive: true,
      types: {
        getTypeParser: (oid, format) => {
          if (WHOLE_NUMBERS.includes(oid)) return wholeNumber;
          return pg.types.getTypeParser(oid, format) as (text: string) => unknown;
        },
      },
    });
    pools.push(pool);
    // Both the pool and a connection that is in use would end the process with an unheard error.
    pool.on('error', onLost);
    pool.on('connect', (client) => client.on('error', onLost));
    const dialect = new PostgresDialect({
      pool: {
        connect: () => connection(pool, patience).then(leased, lost),
        end: () => pool.end(),
        options: pool.options,
      },
    });
    return new Kysely<Tables>({ dialect: bindingAlike(dialect), plugins: [READING_ALIKE] });
  };
  return {
    name: 'postgres',
    kysely: open(HURRIED),
    patient: open(PATIENT),
    reports: new ReportQueue(PATIENT.max),
    unhurried: open(UNHURRIED),
    // So it is when a commit returns.
    durable: () => Promise.resolve(),
    connections: () => ({
      open: sumOf(pools, 'totalCount'),
      idle: sumOf(pools, 'idleCount'),
      waiting: sumOf(pools, 'waitingCount'),
    }),
  };
}

type Count = 'totalCount' | 'idleCount' | 'waitingCount';

function sumOf(pools: readonly Pool[], count: Count): number {
  return pools.reduce((sum, pool) => sum + pool[count], 0);
}

/** The settings of a pool by which it waits; times in ms. */
interface Patience {
  readonly max: number;
  /** For a connection to be made, or to be free. */
  readonly connectionTimeoutMillis: number;
  /** The server's limit. */
  readonly statement_timeout: number;
  /** Longer than the server's own, so it is reached only when the network swallows answers. */
  readonly query_timeout: number | undefined;
}

const HURRIED: Patience = {
  max: 10,
  connectionTimeoutMillis: 900,
  statement_timeout: 4_000,
  query_timeout: 5_000,
};
const PATIENT: Patience = {
  max: 4,
  connectionTimeoutMillis: REPORT_MS,
  statement_timeout: REPORT_MS,
  query_timeout: REPORT_MS + 1_000,
};
const UNHURRIED: Patience = {
  max: 1,
  connectionTimeoutMillis: 900,
  statement_timeout: 0,
  query_timeout: undefined,
};
/**
 * After which the server ends a transaction whose process says nothing more: one that stands still, or whose
 * machine is gone, would keep what it has locked from all others.
 */
const LONGEST_PAUSE_MS = 4_000;
/** The object ids of int8 and numeric. */
const WHOLE_NUMBERS: readonly number[] = [20, 1700];

/**
 * A connection of the pool. Where the server has no further one, as where others have used them up, that of
 * another query is waited for, and for a while no more are asked for than there are.
 */
async function connection(
  pool: Pool,
  { max, connectionTimeoutMillis: patienceMs }: Patience,
): Promise<PoolClient> {
  const startedAt = performance.now();
  for (;;) {
    try {
      return await pool.connect();
    } catch (error) {
      const isLate = performance.now() - startedAt >= patienceMs;
      if (sqlCode(error) !== TOO_MANY || pool.totalCount === 0 || isLate) throw error;
      pool.options.max = Math.min(pool.options.max, pool.totalCount);
      setTimeout(() => {
        pool.options.max = max;
      }, FEWER_FOR_MS).unref();
    }
  }
}

const TOO_MANY = '53300';
const FEWER_FOR_MS = 5_000;

/**
 * A connection that failed on its own, not with its statement, is not given back to the pool. Nor is one
 * whose server takes no writes: after a failover only another connection leads to the one that does.
 */
function leased(client: PoolClient): PostgresPoolClient {
  let isOver = false;
  const query = async (text: string, values: unknown[]): Promise<unknown> => {
    try {
      const name = PREPARED.get(text);
      return await client.query(name === undefined ? { text, values } : { name, text, values });
    } catch (error) {
      const code = sqlCode(error);
      const isItsOwn = code === undefined && !(error instanceof TypeError);
      if (isItsOwn || code === READ_ONLY) isOver = true;
      throw isItsOwn ? connectionLost(error) : error;
    }
  };
  return {
    query: query as PostgresPoolClient['query'],
    release: (destroy) => {
      client.release(isOver || destroy);
    },
  };
}

/** A standby, or a session that was begun while its server was one. */
const READ_ONLY = '25006';

function lost(error: unknown): never {
  throw connectionLost(error);
}

function connectionLost(cause: unknown): ConnectionLost {
  return new ConnectionLost(reasonOf(cause), { cause });
}
