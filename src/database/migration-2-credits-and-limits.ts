import { type Kysely } from 'kysely';
import { type EngineName } from './engine.js';
import { schemaOf } from './schema.js';
import { type Tables } from './tables.js';

/** What accounts may spend and have spent, and what an administrator changes. */
export async function creditsAndLimits(
  database: Kysely<Tables>,
  engine: EngineName,
): Promise<void> {
  const { create, whole } = schemaOf(database, engine);

  const alter = async (table: 'accounts' | 'api_keys' | 'requests', ...columns: string[]) => {
    for (const column of columns) {
      await database.schema
        .alterTable(table)
        .addColumn(column, whole, (definition) =>
          column.endsWith('_units') || column === 'limited'
            ? definition.notNull().defaultTo(0)
            : definition,
        )
        .execute();
    }
  };
  await alter('accounts', 'limited', 'balance_units', 'held_units', 'spent_units');
  await alter('accounts', 'max_concurrent');
  await alter('requests', 'uncollected_units');
  await alter('api_keys', 'tokens_per_minute', 'max_concurrent');
  await database.schema.alterTable('api_keys').addColumn('spend_limit_units', whole).execute();
  await database.schema.alterTable('api_keys').addColumn('spend_limit_per', 'text').execute();

  await create('holds')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull())
    .addColumn('process_id', 'text', (column) => column.notNull())
    .addColumn('amount_units', whole, (column) => column.notNull())
    .addColumn('spend_window', 'text')
    .addColumn('created_at', whole, (column) => column.notNull())
    .execute();
  await database.schema.createIndex('holds_by_process').on('holds').column('process_id').execute();

  await create('key_spend')
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('spend_window', 'text', (column) => column.notNull())
    .addColumn('held_units', whole, (column) => column.notNull())
    .addColumn('spent_units', whole, (column) => column.notNull())
    .addPrimaryKeyConstraint('key_spend_pk', ['key_id', 'spend_window'])
    .execute();

  await create('ledger')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('amount_units', whole, (column) => column.notNull())
    .addColumn('request_id', 'text')
    .addColumn('note', 'text')
    .addColumn('created_at', whole, (column) => column.notNull())
    .execute();
  await database.schema
    .createIndex('ledger_by_account')
    .on('ledger')
    .columns(['account_id', 'id'])
    .execute();

  await create('idempotency_keys')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('body_hash', 'text', (column) => column.notNull())
    .addColumn('ledger_id', 'text', (column) => column.notNull())
    .addColumn('created_at', whole, (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotency_keys_pk', ['account_id', 'key'])
    .execute();

  await create('processes')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('beat', whole, (column) => column.notNull())
    .addColumn('started_at', whole, (column) => column.notNull())
    .execute();

  await create('model_overrides')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('settings', 'text', (column) => column.notNull())
    .addColumn('updated_at', whole, (column) => column.notNull())
    .execute();

  await create('provider_credentials')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('ciphertext', 'text', (column) => column.notNull())
    .addColumn('updated_at', whole, (column) => column.notNull())
    .execute();
}
