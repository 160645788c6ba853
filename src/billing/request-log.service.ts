import { Injectable } from '@nestjs/common';
import { type Selectable } from 'kysely';
import { usdNumber } from '../contract/money.js';
import { type Attempt } from '../contract/usage-record.js';
import { Database } from '../database/database.service.js';
import { type RequestsTable } from '../database/tables.js';
import { isoOf } from '../http/moment.js';
import { type Page, placeOf, readPage } from '../http/page.js';
import { type PageQuery } from '../http/query.js';
import { type RequestLogRow } from './dto/request-log.dto.js';
import { recordedWhere, type RequestFilter } from './request-filter.js';

/** Shows the records of requests. */
@Injectable()
export class RequestLogs {
  constructor(private readonly database: Database) {}

  /** The requests that a filter lets through, newest first. */
  list(filter: RequestFilter, { limit, cursor }: PageQuery): Promise<Page<RequestLogRow>> {
    const begin = placeOf(cursor, ROW_ID);
    return this.database.report((kysely) => {
      const read = (before: string | undefined, count: number) =>
        kysely
          .selectFrom('requests')
          .selectAll()
          .where(recordedWhere(filter))
          .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
          .orderBy('id', 'desc')
          .limit(count)
          .execute();
      return readPage(limit, begin, { read, placeOf: ({ id }) => id, show: rowOf });
    });
  }

  /** The request of that id, the last one if it was used more than once. */
  async find(requestId: string): Promise<RequestLogRow | undefined> {
    const row = await this.database.read((kysely) =>
      kysely
        .selectFrom('requests')
        .selectAll()
        .where('request_id', '=', requestId)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst(),
    );
    return row && rowOf(row);
  }
}

const ROW_ID = /^[\w-]{1,64}$/;

/** Every token stands in exactly one of the counts. */
function rowOf(row: Selectable<RequestsTable>): RequestLogRow {
  const attempts = JSON.parse(row.attempts) as readonly Attempt[];
  return {
    request_id: row.request_id,
    account_id: row.account_id,
    key_id: row.key_id,
    endpoint: row.endpoint,
    requested_model: row.requested_model,
    model: row.model,
    provider: row.provider,
    status: row.status,
    outcome: row.outcome,
    input_tokens: row.input_tokens + row.image_input_tokens,
    output_tokens: row.output_tokens + row.image_output_tokens,
    cache_read_tokens: row.cache_read_tokens + row.cached_image_input_tokens,
    cache_write_tokens: row.cache_write_tokens + row.cache_write_1h_tokens,
    images: row.images,
    cost: usdNumber(row.cost_units),
    ...(row.uncollected_units > 0n && { uncollected: usdNumber(row.uncollected_units) }),
    estimated: row.estimated === 1,
    attempts: attempts.map(({ model, status, ms, cancelled }) => ({
      model,
      status,
      ms: Math.round(ms),
      ...(cancelled && { cancelled }),
    })),
    duration_ms: row.duration_ms,
    first_byte_ms: row.first_byte_ms,
    user: row.user,
    metadata: row.metadata === null ? null : (JSON.parse(row.metadata) as Record<string, unknown>),
    created_at: isoOf(row.created_at),
  };
}
