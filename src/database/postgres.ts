import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import { type PoolClient } from 'pg';
import { bindingAlike, READING_ALIKE, wholeNumber } from './column-values.js';
import { type Engine } from './engine.js';
import { ConnectionLost, sqlCode } from './failure.js';
import { type Tables } from './tables.js';

/**
 * A pool of connections to a PostgreSQL database; none is made before the first query.
 *
 * @param onLost called when a connection breaks while nobody is using it.
 */
export async function openPostgres(url: string, onLost: () => void): Promise<Engine> {
  // Not needed by those who stay with SQLite, so it is loaded here.
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'causeway',
    max: MOST_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    query_timeout: QUERY_MS,
    keepAlive: true,
    types: {
      getTypeParser: (oid, format) => {
        if (WHOLE_NUMBERS.includes(oid)) return wholeNumber;
        return pg.types.getTypeParser(oid, format) as (text: string) => unknown;
      },
    },
  });
  // Both the pool and a connection that is in use would end the process with an unheard error.
  pool.on('error', onLost);
  pool.on('connect', (client) => client.on('error', onLost));

  const dialect = new PostgresDialect({
    pool: {
      connect: () => pool.connect().then(leased, lost),
      end: () => pool.end(),
      options: pool.options,
    },
  });
  const kysely = new Kysely<Tables>({
    dialect: bindingAlike(dialect),
    plugins: [READING_ALIKE],
  });
  return { name: 'postgres', kysely };
}

const MOST_CONNECTIONS = 10;
const CONNECT_MS = 900;
const STATEMENT_MS = 4_000;
/** Longer than the server's own limit, so it is reached only when the network swallows answers. */
const QUERY_MS = 5_000;
/** The object ids of int8 and numeric. */
const WHOLE_NUMBERS: readonly number[] = [20, 1700];

/** A connection that failed on its own, not with its statement, is not given back to the pool. */
function leased(client: PoolClient): PostgresPoolClient {
  let broken: ConnectionLost | undefined;
  const query = async (text: string, values: unknown[]): Promise<unknown> => {
    try {
      return await client.query(text, values);
    } catch (error) {
      if (sqlCode(error) !== undefined || error instanceof TypeError) throw error;
      broken = connectionLost(error);
      throw broken;
    }
  };
  return {
    query: query as PostgresPoolClient['query'],
    release: (destroy) => {
      client.release(broken ?? destroy);
    },
  };
}

function lost(error: unknown): never {
  throw connectionLost(error);
}

function connectionLost(cause: unknown): ConnectionLost {
  // A name with several addresses gives an error of errors, which has no message of its own.
  const causes: readonly unknown[] = cause instanceof AggregateError ? cause.errors : [cause];
  return new ConnectionLost(causes.map(String).join(', '), { cause });
}
