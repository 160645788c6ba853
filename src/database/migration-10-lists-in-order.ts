import { type Kysely } from 'kysely';
import { type Tables } from './tables.js';

const ORDER = ['created_at', 'id'];

/**
 * Accounts, keys and files in the order in which they are listed: each page read and sorted all of them.
 *
 * Until all is done, PostgreSQL keeps gateways that still serve from writing to a table once its index is
 * being made, and from reading it once one is dropped. So what the fewest write comes first: keys, files, and
 * then the accounts, which calls with credits write; and no former index goes before all new ones are there.
 */
export async function listsInOrder({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createIndex('api_keys_in_order')
    .on('api_keys')
    .columns(['account_id', ...ORDER])
    .execute();
  await schema
    .createIndex('uploads_in_order')
    .on('uploads')
    .columns(['account_id', 'state', ...ORDER, 'expires_at'])
    .execute();
  await schema.createIndex('accounts_in_order').on('accounts').columns(ORDER).execute();
  await schema.dropIndex('uploads_by_account').execute();
  await schema.dropIndex('api_keys_by_account').execute();
}
