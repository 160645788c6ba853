import { type RawBuilder, sql } from 'kysely';

/** Which requests are meant; what is absent does not matter. */
export interface RequestFilter {
  /** Unix milliseconds; `from` is part of the span, `to` is not. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly accountId?: string | undefined;
  readonly keyId?: string | undefined;
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
  readonly outcome?: string | undefined;
  readonly user?: string | undefined;
}

/** The condition that a row of `requests` has to meet. */
export function recordedWhere({ from, to, ...filter }: RequestFilter): RawBuilder<boolean> {
  const given = Object.entries(filter) as [keyof typeof COLUMNS, string | undefined][];
  const equal = given
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => sql`${sql.ref(COLUMNS[name])} = ${value}`);
  const conditions = [
    ...equal,
    ...(from === undefined ? [] : [sql`created_at >= ${from} and id >= ${earliestId(from)}`]),
    ...(to === undefined ? [] : [sql`created_at < ${to} and id < ${idAt(to + OFF_MS)}`]),
  ];
  return conditions.length > 0 ? sql`${sql.join(conditions, sql` and `)}` : sql`1 = 1`;
}

/**
 * Ids of rows begin with the time at which they were made, which is when their request ended, so the
 * primary key finds the rows of a span. Clocks may be wrong by an hour.
 */
export function earliestId(milliseconds: number): string {
  return idAt(milliseconds - OFF_MS);
}

/** What the id of a row of that moment begins with. */
function idAt(milliseconds: number): string {
  const digits = Math.max(milliseconds, 0).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
}

/** How wrong a clock may be. */
const OFF_MS = 3_600_000;

const COLUMNS = {
  accountId: 'account_id',
  keyId: 'key_id',
  model: 'model',
  provider: 'provider',
  outcome: 'outcome',
  user: 'user',
} as const;
