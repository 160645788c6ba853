import { type Kysely } from 'kysely';
import { type Tables } from './tables.js';

/** A key that was rotated and its successor spend from one limit. */
export async function sharedBudgets(database: Kysely<Tables>): Promise<void> {
  await database.schema.alterTable('api_keys').addColumn('budget_id', 'text').execute();
}
