import { type Kysely } from 'kysely';
import { type EngineName } from './engine.js';
import { schemaOf } from './schema.js';
import { type Tables } from './tables.js';

/** Uploaded files. */
export async function uploads(database: Kysely<Tables>, engine: EngineName): Promise<void> {
  const { create, whole } = schemaOf(database, engine);
  await create('uploads')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('file_name', 'text', (column) => column.notNull())
    .addColumn('file_size', whole, (column) => column.notNull())
    .addColumn('media_type', 'text', (column) => column.notNull())
    .addColumn('purpose', 'text', (column) => column.notNull())
    .addColumn('metadata', 'text', (column) => column.notNull())
    .addColumn('created_at', whole, (column) => column.notNull())
    .addColumn('expires_at', whole, (column) => column.notNull())
    .execute();
  await database.schema
    .createIndex('uploads_by_account')
    .on('uploads')
    .columns(['account_id', 'created_at'])
    .execute();
  await database.schema
    .createIndex('uploads_by_state')
    .on('uploads')
    .columns(['state', 'expires_at'])
    .execute();
}
