import { Injectable } from '@nestjs/common';
import { type Transaction } from 'kysely';
import { type RequestContext } from '../contract/caller.js';
import { GatewayError } from '../contract/gateway-error.js';
import { Database } from '../database/database.service.js';
import { type Tables } from '../database/tables.js';
import { type FeedbackBody } from './dto/feedback-body.dto.js';
import { Opinions } from './opinions.service.js';
import { RoutedTasks } from './routed-tasks.service.js';

/** Takes in what callers say of the answers that they got. */
@Injectable()
export class FeedbackService {
  constructor(
    private readonly database: Database,
    private readonly opinions: Opinions,
    private readonly tasks: RoutedTasks,
  ) {}

  /**
   * Of several for one request the last one counts. It is taken for what a sandbox key got, too, but
   * says nothing of the models that the sandbox played.
   *
   * @throws GatewayError 404 for a request that is not the account's own, or that no model answered.
   */
  async give({ caller }: RequestContext, { request_id: id, ...said }: FeedbackBody): Promise<void> {
    await this.tasks.settled(caller.accountId, id);
    const found = await this.database.write(async (transaction) => {
      const answered = await answeredBy(transaction, caller.accountId, id);
      if (answered && !answered.isPlayed) {
        await replace(transaction, caller.accountId, id, { ...answered, ...said });
      }
      return answered !== undefined;
    });
    if (!found) {
      const message = `There is no request '${id}' of yours that a model has answered.`;
      throw new GatewayError(404, 'not_found', message, { param: 'request_id' });
    }
    this.opinions.forget(caller.accountId);
  }
}

interface Answered {
  readonly model: string;
  /** Empty for a request that was not routed. */
  readonly task: string;
}

async function answeredBy(
  transaction: Transaction<Tables>,
  accountId: string,
  requestId: string,
): Promise<(Answered & { readonly isPlayed: boolean }) | undefined> {
  const request = await transaction
    .selectFrom('requests as request')
    .leftJoin('api_keys as key', 'key.id', 'request.key_id')
    .select(['request.model', 'key.type'])
    .where('request.request_id', '=', requestId)
    .where('request.account_id', '=', accountId)
    .where('request.outcome', '=', 'ok')
    .orderBy('request.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!request || request.model === null) return undefined;
  const routed = await transaction
    .selectFrom('routed_tasks')
    .select('task')
    .where('account_id', '=', accountId)
    .where('request_id', '=', requestId)
    .executeTakeFirst();
  return { model: request.model, task: routed?.task ?? '', isPlayed: request.type === 'sandbox' };
}

/** Takes the earlier feedback on a request back, and puts the new one in its place. */
async function replace(
  transaction: Transaction<Tables>,
  accountId: string,
  requestId: string,
  said: Answered & Omit<FeedbackBody, 'request_id'>,
): Promise<void> {
  const { model, task, score } = said;
  const row = {
    account_id: accountId,
    request_id: requestId,
    model,
    task,
    millionths: Math.round(score * 1_000_000),
    note: said.note ?? null,
    created_at: Date.now(),
  };
  // The row of the request is the lock: who comes second sees what the first has written.
  await transaction
    .insertInto('feedback')
    .values({ ...row, millionths: NOTHING_YET })
    .onConflict((conflict) => conflict.columns(['account_id', 'request_id']).doNothing())
    .execute();
  const before = await transaction
    .updateTable('feedback')
    .set({ created_at: row.created_at })
    .where('account_id', '=', accountId)
    .where('request_id', '=', requestId)
    .returning(['model', 'task', 'millionths'])
    .executeTakeFirstOrThrow();
  if (before.millionths !== NOTHING_YET) {
    await count(transaction, accountId, before, { count: -1, millionths: -before.millionths });
  }
  await transaction
    .updateTable('feedback')
    .set({ model, task, millionths: row.millionths, note: row.note })
    .where('account_id', '=', accountId)
    .where('request_id', '=', requestId)
    .execute();
  await count(transaction, accountId, row, { count: 1, millionths: row.millionths });
}

const NOTHING_YET = -1;

async function count(
  transaction: Transaction<Tables>,
  accountId: string,
  { model, task }: Answered,
  more: { readonly count: number; readonly millionths: number },
): Promise<void> {
  await transaction
    .insertInto('opinions')
    .values({ account_id: accountId, model, task, ...more })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'model', 'task']).doUpdateSet((row) => ({
        count: row('opinions.count', '+', more.count),
        millionths: row('opinions.millionths', '+', more.millionths),
      })),
    )
    .execute();
}
