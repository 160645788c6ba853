import { Injectable } from '@nestjs/common';
import { type RawBuilder, sql } from 'kysely';
import { GatewayError } from '../contract/gateway-error.js';
import { usdNumber } from '../contract/money.js';
import { Database } from '../database/database.service.js';
import { type UsageReport, type UsageRow } from './dto/usage-report.dto.js';
import { recordedWhere, type RequestFilter } from './request-filter.js';
import { type Group } from './usage-groups.js';

/** Which requests are summed up, and by what. */
export interface ReportQuery extends RequestFilter {
  readonly groupBy: readonly Group[];
}

/** Sums up what was used. */
@Injectable()
export class UsageReports {
  constructor(private readonly database: Database) {}

  /**
   * What was used in a span of time, by default the last 30 days. The percentiles are exact: of all
   * its requests' durations, by nearest rank.
   *
   * @throws GatewayError 400 when there are more groups than a report can have, 503 when it takes
   * longer than half a minute.
   *
   * @param asking the account whose key asks for it, unless it is the management.
   */
  async report({ groupBy, ...filter }: ReportQuery, asking?: string): Promise<UsageReport> {
    const keys = groupBy.map((group) => EXPRESSIONS[group]);
    const names = groupBy.map((_, index) => sql.ref(`group_${index}`));
    const aliased = keys.map((key, index) => sql`${key} as ${names[index]}`);
    const partition = keys.length > 0 ? sql`partition by ${sql.join(keys)}` : sql``;
    const grouping =
      names.length > 0 ? sql`group by ${sql.join(names)} order by ${sql.join(names)}` : sql``;
    const from = filter.from ?? (filter.to ?? Date.now()) - USUAL_SPAN_MS;
    const query = sql<Totals>`
      select ${sql.join([...names, ...TOTALS])}
      from (
        select ${sql.join([...aliased, ...MEASURES])},
          row_number() over (${partition} order by duration_ms) as place,
          count(*) over (${partition}) as size
        from requests
        where ${recordedWhere({ ...filter, from })}
      ) as recorded
      ${grouping}
      limit ${MOST_ROWS + 1}`;
    const { rows } = await this.database.report((kysely) => query.execute(kysely), asking);
    if (rows.length > MOST_ROWS) {
      const message = `The report has more than ${MOST_ROWS} rows; ask for less time or fewer groups.`;
      throw new GatewayError(400, 'invalid_value', message, { param: 'group_by' });
    }
    // Without groups there is a row even when there is nothing to sum up.
    return { data: rows.filter(({ requests }) => requests > 0).map((row) => shown(row, groupBy)) };
  }
}

/** A sum of 10^-12 USD would overflow a 64-bit number at 9 million USD. */
const UNITS_PER_MICRO_USD = 1_000_000;
const USUAL_SPAN_MS = 30 * 24 * 3_600_000;
const MOST_ROWS = 10_000;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

const MEASURES = [
  sql`case when outcome in ('error', 'rejected') then 1 else 0 end as failed`,
  sql`input_tokens + image_input_tokens as input`,
  sql`output_tokens + image_output_tokens as output`,
  sql`cost_units / ${sql.lit(UNITS_PER_MICRO_USD)} as micro`,
  sql`cost_units % ${sql.lit(UNITS_PER_MICRO_USD)} as rest`,
  sql`duration_ms`,
];
const TOTALS = [
  sql`count(*) as requests`,
  sql`sum(failed) as errors`,
  sql`sum(input) as input_tokens`,
  sql`sum(output) as output_tokens`,
  sql`sum(micro) as micro_units`,
  sql`sum(rest) as rest_units`,
  sql`max(case when place = (size * 50 + 99) / 100 then duration_ms end) as p50_ms`,
  sql`max(case when place = (size * 95 + 99) / 100 then duration_ms end) as p95_ms`,
];

const EXPRESSIONS: Readonly<Record<Group, RawBuilder<unknown>>> = {
  day: sql`created_at / ${sql.lit(DAY_MS)}`,
  hour: sql`created_at / ${sql.lit(HOUR_MS)}`,
  account: sql.ref('account_id'),
  key: sql.ref('key_id'),
  model: sql.ref('model'),
  provider: sql.ref('provider'),
  endpoint: sql.ref('endpoint'),
};

interface Totals {
  readonly [group: `group_${number}`]: string | number | null;
  readonly requests: number;
  readonly errors: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly micro_units: bigint;
  readonly rest_units: bigint;
  readonly p50_ms: number;
  readonly p95_ms: number;
}

function shown(row: Totals, groupBy: readonly Group[]): UsageRow {
  const groups = groupBy.map((group, index) => [group, labelOf(group, row[`group_${index}`])]);
  return {
    ...(Object.fromEntries(groups) as Partial<UsageRow>),
    requests: row.requests,
    errors: row.errors,
    input_tokens: row.input_tokens,
    output_tokens: row.output_tokens,
    cost: usdNumber(row.micro_units * BigInt(UNITS_PER_MICRO_USD) + row.rest_units),
    p50_ms: row.p50_ms,
    p95_ms: row.p95_ms,
  };
}

function labelOf(group: Group, value: string | number | null | undefined): string | null {
  if (group === 'day') return new Date(Number(value) * DAY_MS).toISOString().slice(0, 10);
  if (group === 'hour') return new Date(Number(value) * HOUR_MS).toISOString();
  return value === null || value === undefined ? null : String(value);
}
