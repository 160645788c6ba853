import { type CreateTableBuilder, type Kysely, sql, type Transaction } from 'kysely';
import { type EngineName } from './engine.js';
import { type Tables } from './tables.js';

/**
 * Brings the tables up to date. The transaction holds a lock, so that processes which start together
 * do it one after the other; what has been done is skipped.
 */
export async function migrate(transaction: Transaction<Tables>, engine: EngineName): Promise<void> {
  // On SQLite the transaction itself, begun as immediate, is the lock.
  if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${LOCK})`.execute(transaction);
  await sql`create table if not exists migrations (number integer primary key)`.execute(
    transaction,
  );
  const done = await sql<{ number: number }>`select number from migrations`.execute(transaction);
  const numbers = new Set(done.rows.map((row) => row.number));
  for (const [index, migration] of MIGRATIONS.entries()) {
    if (numbers.has(index + 1)) continue;
    await migration(transaction, engine);
    await sql`insert into migrations (number) values (${index + 1})`.execute(transaction);
  }
}

type Migration = (database: Kysely<Tables>, engine: EngineName) => Promise<void>;

/** Any number that no other user of the same PostgreSQL database locks. */
const LOCK = 4_127_360_961;

/** Numbered by their place, from 1. One that has been released is never changed, only followed. */
const MIGRATIONS: readonly Migration[] = [keysAndRequests, creditsAndLimits];

/** Makes tables whose columns hold what they say, on both engines. */
function schemaOf(database: Kysely<Tables>, engine: EngineName) {
  // Without STRICT, SQLite would keep a fraction or a text in a column of whole numbers.
  const create = (name: string): CreateTableBuilder<string> => {
    const table = database.schema.createTable(name);
    return engine === 'sqlite' ? table.modifyEnd(sql`strict`) : table;
  };
  const whole = engine === 'sqlite' ? ('integer' as const) : ('bigint' as const);
  return { create, whole };
}

async function keysAndRequests(database: Kysely<Tables>, engine: EngineName): Promise<void> {
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

async function creditsAndLimits(database: Kysely<Tables>, engine: EngineName): Promise<void> {
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
