import { Injectable } from '@nestjs/common';
import { type RequestContext } from '../contract/caller.js';
import { GatewayError } from '../contract/gateway-error.js';
import { Database } from '../database/database.service.js';
import { away, ConnectionLost } from '../database/failure.js';
import { type GroupCommit } from '../database/group-commit.js';
import { type FeedbackTable } from '../database/tables.js';
import { within } from '../database/transact.js';
import { type FeedbackBody } from './dto/feedback-body.dto.js';
import { replaceFeedback } from './feedback-rows.js';
import { Opinions } from './opinions.service.js';
import { RoutedTasks } from './routed-tasks.service.js';

/** Takes in what callers say of the answers that they got. */
@Injectable()
export class FeedbackService {
  /** All that is said of a model changes one row, so what comes at once is written at once. */
  private readonly writer: GroupCommit<FeedbackTable>;

  constructor(
    private readonly database: Database,
    private readonly opinions: Opinions,
    private readonly tasks: RoutedTasks,
  ) {
    this.writer = database.grouped((rows) => (transaction) => replaceFeedback(transaction, rows));
  }

  /**
   * Of several for one request the last one counts. It is taken for what a sandbox key got, and from a
   * sandbox key, too, but says nothing of the models then.
   *
   * @throws GatewayError 404 for a request that is not the account's own, or that no model answered;
   * 503 while the database is away, and then it may be written nevertheless.
   */
  async give({ caller }: RequestContext, { request_id: id, ...said }: FeedbackBody): Promise<void> {
    await this.tasks.settled(caller.accountId, id);
    const answered = await this.answeredBy(caller.accountId, id);
    if (!answered) {
      const message = `There is no request '${id}' of yours that a model has answered.`;
      throw new GatewayError(404, 'not_found', message, { param: 'request_id' });
    }
    if (answered.isPlayed || caller.keyType === 'sandbox') return;
    await this.write({
      account_id: caller.accountId,
      request_id: id,
      model: answered.model,
      task: answered.task,
      millionths: Math.round(said.score * 1_000_000),
      note: said.note ?? null,
      created_at: Date.now(),
    });
    this.opinions.forget(caller.accountId);
  }

  private async write(row: FeedbackTable): Promise<void> {
    try {
      await within(PATIENCE_MS, this.writer.add(row));
    } catch (error) {
      throw error instanceof ConnectionLost ? away(error) : error;
    }
  }

  private async answeredBy(accountId: string, requestId: string): Promise<Answered | undefined> {
    const request = await this.database.read((kysely) =>
      kysely
        .selectFrom('requests as request')
        .leftJoin('api_keys as key', 'key.id', 'request.key_id')
        .leftJoin('routed_tasks as routed', (join) =>
          join
            .onRef('routed.account_id', '=', 'request.account_id')
            .onRef('routed.request_id', '=', 'request.request_id'),
        )
        .select(['request.model', 'key.type', 'routed.task'])
        .where('request.request_id', '=', requestId)
        .where('request.account_id', '=', accountId)
        .where('request.outcome', '=', 'ok')
        .orderBy('request.id', 'desc')
        .limit(1)
        .executeTakeFirst(),
    );
    if (!request || request.model === null) return undefined;
    const { model, task, type } = request;
    return { model, task: task ?? '', isPlayed: type === 'sandbox' };
  }
}

interface Answered {
  readonly model: string;
  /** Empty for a request that was not routed. */
  readonly task: string;
  /** By the sandbox, for a sandbox key. */
  readonly isPlayed: boolean;
}

const PATIENCE_MS = 1_000;
