import { type Kysely } from 'kysely';
import { type EngineName } from './engine.js';
import { schemaOf } from './schema.js';
import { type Tables } from './tables.js';

/** What callers say of answers, its sums, and what kind of task a routed request was. */
export async function feedbackOnRequests(
  database: Kysely<Tables>,
  engine: EngineName,
): Promise<void> {
  const { create, whole } = schemaOf(database, engine);

  await create('routed_tasks')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull())
    .addColumn('task', 'text', (column) => column.notNull())
    .addColumn('created_at', whole, (column) => column.notNull())
    .addPrimaryKeyConstraint('routed_tasks_pk', ['account_id', 'request_id'])
    .execute();
  await database.schema
    .createIndex('routed_tasks_by_time')
    .on('routed_tasks')
    .column('created_at')
    .execute();

  await create('feedback')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('task', 'text', (column) => column.notNull())
    .addColumn('millionths', whole, (column) => column.notNull())
    .addColumn('note', 'text')
    .addColumn('created_at', whole, (column) => column.notNull())
    .addPrimaryKeyConstraint('feedback_pk', ['account_id', 'request_id'])
    .execute();

  await create('opinions')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('task', 'text', (column) => column.notNull())
    .addColumn('count', whole, (column) => column.notNull())
    .addColumn('millionths', whole, (column) => column.notNull())
    .addPrimaryKeyConstraint('opinions_pk', ['account_id', 'model', 'task'])
    .execute();
}
