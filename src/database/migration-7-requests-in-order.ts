import { type Kysely } from 'kysely';
import { type Tables } from './tables.js';

/**
 * The requests of an account, in the order in which they are listed: ids begin with the time. By the
 * former index each page of a list sorted all that the account had ever asked.
 */
export async function requestsInOrder(database: Kysely<Tables>): Promise<void> {
  await database.schema.dropIndex('requests_by_account').execute();
  await database.schema
    .createIndex('requests_by_account')
    .on('requests')
    .columns(['account_id', 'id'])
    .execute();
}
