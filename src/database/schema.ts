import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import { type EngineName } from './engine.js';
import { type Tables } from './tables.js';

/** Makes tables whose columns hold what they say, on both engines. */
export function schemaOf(database: Kysely<Tables>, engine: EngineName) {
  // Without STRICT, SQLite would keep a fraction or a text in a column of whole numbers.
  const create = (name: string): CreateTableBuilder<string> => {
    const table = database.schema.createTable(name);
    return engine === 'sqlite' ? table.modifyEnd(sql`strict`) : table;
  };
  const whole = engine === 'sqlite' ? ('integer' as const) : ('bigint' as const);
  return { create, whole };
}
