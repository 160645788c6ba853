import { type Kysely } from 'kysely';
import { type Tables } from './tables.js';

const ORDER = ['created_at', 'id'];

/** Accounts, keys and files in the order in which they are listed: each page read and sorted all of them. */
export async function listsInOrder({ schema }: Kysely<Tables>): Promise<void> {
  await schema.createIndex('accounts_in_order').on('accounts').columns(ORDER).execute();
  await schema.dropIndex('api_keys_by_account').execute();
  await schema
    .createIndex('api_keys_by_account')
    .on('api_keys')
    .columns(['account_id', ...ORDER])
    .execute();
  await schema.dropIndex('uploads_by_account').execute();
  await schema
    .createIndex('uploads_by_account')
    .on('uploads')
    .columns(['account_id', 'state', ...ORDER, 'expires_at'])
    .execute();
}
