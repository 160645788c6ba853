import { type Kysely } from 'kysely';
import { type EngineName } from './engine.js';
import { schemaOf } from './schema.js';
import { type Tables } from './tables.js';

/** Accounts, their keys, and the rows of calls. */
export async function keysAndRequests(database: Kysely<Tables>, engine: EngineName): Promise<void> {
  const { create, whole } = schemaOf(database, engine);

  await create('meta')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();

  await create('accounts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('region', 'text')
    .addColumn('models', 'text')
    .addColumn('rate_limit', 'text')
    .addColumn('disabled', whole, (column) => column.notNull())
    .addColumn('created_at', whole, (column) => column.notNull())
    .execute();

  await create('api_keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('prefix', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('models', 'text')
    .addColumn('rate_limit', 'text')
    .addColumn('expires_at', whole)
    .addColumn('disabled', whole, (column) => column.notNull())
    .addColumn('revoked_at', whole)
    .addColumn('created_at', whole, (column) => column.notNull())
    .execute();
  await database.schema
    .createIndex('api_keys_by_account')
    .on('api_keys')
    .column('account_id')
    .execute();

  // No foreign keys: a record is never refused because of what it points to.
  await create('requests')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('request_id', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('endpoint', 'text', (column) => column.notNull())
    .addColumn('requested_model', 'text', (column) => column.notNull())
    .addColumn('model', 'text')
    .addColumn('provider', 'text')
    .addColumn('status', whole, (column) => column.notNull())
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('input_tokens', whole, (column) => column.notNull())
    .addColumn('output_tokens', whole, (column) => column.notNull())
    .addColumn('cache_read_tokens', whole, (column) => column.notNull())
    .addColumn('cache_write_tokens', whole, (column) => column.notNull())
    .addColumn('cache_write_1h_tokens', whole, (column) => column.notNull())
    .addColumn('image_input_tokens', whole, (column) => column.notNull())
    .addColumn('cached_image_input_tokens', whole, (column) => column.notNull())
    .addColumn('image_output_tokens', whole, (column) => column.notNull())
    .addColumn('images', whole, (column) => column.notNull())
    .addColumn('cost_units', whole, (column) => column.notNull())
    .addColumn('estimated', whole, (column) => column.notNull())
    .addColumn('attempts', 'text', (column) => column.notNull())
    .addColumn('duration_ms', whole, (column) => column.notNull())
    .addColumn('first_byte_ms', whole)
    .addColumn('user', 'text')
    .addColumn('metadata', 'text')
    .addColumn('created_at', whole, (column) => column.notNull())
    .execute();
  await database.schema
    .createIndex('requests_by_account')
    .on('requests')
    .columns(['account_id', 'created_at'])
    .execute();
  await database.schema
    .createIndex('requests_by_request_id')
    .on('requests')
    .column('request_id')
    .execute();
}
