import { Injectable } from '@nestjs/common';
import { type Insertable } from 'kysely';
import { GatewayError } from '../contract/gateway-error.js';
import { type UsageRecord } from '../contract/usage-record.js';
import { Database } from '../database/database.service.js';
import { ConnectionLost } from '../database/failure.js';
import { type GroupCommit } from '../database/group-commit.js';
import { type RequestsTable } from '../database/tables.js';
import { within } from '../database/transact.js';
import { requestRow } from './request-row.js';

/** Keeps one durable row for each call. */
@Injectable()
export class UsageRecorder {
  private readonly rows: GroupCommit<Insertable<RequestsTable>>;

  constructor(database: Database) {
    this.rows = database.grouped(
      (rows) => (transaction) =>
        transaction
          .insertInto('requests')
          .values(rows)
          .onConflict((conflict) => conflict.column('id').doNothing())
          .execute(),
    );
  }

  /**
   * Resolves when the record is durable.
   *
   * @throws GatewayError 503 after a second without the database. The record then stays in memory
   * and is written when the database is back. There is no outbox on disk yet, so the end of the
   * process before that loses it.
   */
  async record(record: UsageRecord): Promise<void> {
    try {
      await within(PATIENCE_MS, this.rows.add(requestRow(record)));
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
      throw new GatewayError(503, 'provider_unavailable', NOT_RECORDED, {
        retryAfter: 1,
        cause: error,
      });
    }
  }
}

const PATIENCE_MS = 1_000;
const NOT_RECORDED = 'The gateway cannot reach its database to record this call.';
