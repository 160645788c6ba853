import { type Transaction } from 'kysely';
import { type FeedbackTable, type Tables } from '../database/tables.js';

/**
 * Puts feedback in the place of what was said of the same requests before; of several on one request
 * the last one counts. Writing it again changes nothing.
 *
 * Rows are written in the order of their names: processes that write at the same time wait for each
 * other, but not both for what the other one has.
 */
export async function replaceFeedback(
  transaction: Transaction<Tables>,
  said: readonly FeedbackTable[],
): Promise<void> {
  const rows = inOrder(new Map(said.map((row) => [nameOf(row.account_id, row.request_id), row])));
  // The rows are the locks: who comes second sees what the first has written.
  const before = await transaction
    .insertInto('feedback')
    .values(rows.map((row) => ({ ...row, millionths: NOTHING_YET })))
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'request_id'])
        .doUpdateSet((row) => ({ created_at: row.ref('excluded.created_at') })),
    )
    .returning(['account_id', 'model', 'task', 'millionths'])
    .execute();
  await transaction
    .insertInto('feedback')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'request_id']).doUpdateSet((row) => ({
        model: row.ref('excluded.model'),
        task: row.ref('excluded.task'),
        millionths: row.ref('excluded.millionths'),
        note: row.ref('excluded.note'),
      })),
    )
    .execute();
  const replaced = before.filter(({ millionths }) => millionths !== NOTHING_YET);
  const changes = sumsOf([
    ...replaced.map((row) => ({ ...row, count: -1, millionths: -row.millionths })),
    ...rows.map((row) => ({ ...row, count: 1 })),
  ]);
  if (changes.length === 0) return;
  await transaction
    .insertInto('opinions')
    .values(changes)
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'model', 'task']).doUpdateSet((row) => ({
        count: row('opinions.count', '+', row.ref('excluded.count')),
        millionths: row('opinions.millionths', '+', row.ref('excluded.millionths')),
      })),
    )
    .execute();
}

const NOTHING_YET = -1;

type Change = Tables['opinions'];

/** What the feedback changes of each opinion; nothing of those that stay as they are. */
function sumsOf(changes: readonly Change[]): readonly Change[] {
  const sums = new Map<string, Change>();
  for (const { account_id, model, task, count, millionths } of changes) {
    const name = nameOf(account_id, model, task);
    const sum = sums.get(name) ?? { count: 0, millionths: 0 };
    sums.set(name, {
      account_id,
      model,
      task,
      count: sum.count + count,
      millionths: sum.millionths + millionths,
    });
  }
  return inOrder(sums).filter(({ count, millionths }) => count !== 0 || millionths !== 0);
}

function nameOf(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}

function inOrder<T>(named: ReadonlyMap<string, T>): readonly T[] {
  return [...named].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}
