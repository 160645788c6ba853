import { Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { Database } from '../database/database.service.js';
import { isSqlite } from '../database/is-sqlite.js';
import { type Tables } from '../database/tables.js';
import { recordedWhere } from './request-filter.js';

/** How a provider's models were tried: also those before a fallback, which no caller was served by. */
interface ProviderTries {
  readonly provider: string;
  readonly tries: number;
  /** Those that were not answered with success, or whose stream broke off. */
  readonly failures: number;
  /** Milliseconds, exact, by nearest rank: to a whole answer or the first event of a stream. */
  readonly p50_ms: number;
  readonly p95_ms: number;
}

/** Sums up the tries of providers. */
@Injectable()
export class TriesReports {
  constructor(private readonly database: Database) {}

  /**
   * The providers that were tried since then, without the tries that were not made because of an open
   * circuit, or were cut because another one had answered, the caller had left or the gateway stopped.
   *
   * @param from unix milliseconds.
   * @throws GatewayError 503 when it takes longer than half a minute, or the database is away.
   */
  async byProvider(from: number): Promise<readonly ProviderTries[]> {
    const { rows } = await this.database.report((kysely) => query(kysely, from).execute(kysely));
    return rows;
  }
}

function query(kysely: Kysely<Tables>, from: number) {
  const tries = isSqlite(kysely)
    ? sql`json_each(calls.attempts) as made`
    : sql`jsonb_array_elements(calls.attempts::jsonb) as made(value)`;
  return sql<ProviderTries>`
    select provider, count(*) as tries, sum(failed) as failures,
      max(case when place = (size * 50 + 99) / 100 then ms end) as p50_ms,
      max(case when place = (size * 95 + 99) / 100 then ms end) as p95_ms
    from (
      select provider, failed, ms,
        row_number() over (partition by provider order by ms) as place,
        count(*) over (partition by provider) as size
      from (
        select made.value ->> 'provider' as provider,
          cast(made.value ->> 'ms' as integer) as ms,
          case when cast(made.value ->> 'status' as integer) = 200 and outcome <> 'error'
            then 0 else 1 end as failed
        from (select attempts, outcome from requests where ${recordedWhere({ from })}) as calls,
          ${tries}
        where made.value ->> 'circuit' is null and made.value ->> 'cancelled' is null
          and (cast(made.value ->> 'status' as integer) <> 0 or outcome <> 'client_closed')
      ) as told
    ) as placed
    group by provider`;
}
