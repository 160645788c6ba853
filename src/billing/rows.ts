import { type Insertable, type Selectable } from 'kysely';
import { type Units } from '../contract/money.js';
import { type ColumnType, type RowSource, RowStatement } from '../database/row-statement.js';
import { type HoldsTable, type LedgerTable, type RequestsTable } from '../database/tables.js';

type Columns<Row> = { readonly [Column in keyof Row]-?: ColumnType };

const HOLD: Columns<HoldsTable> = {
  id: 'text',
  account_id: 'text',
  key_id: 'text',
  request_id: 'text',
  process_id: 'text',
  amount_units: 'bigint',
  spend_window: 'text',
  endpoint: 'text',
  requested_model: 'text',
  model: 'text',
  provider: 'text',
  user: 'text',
  metadata: 'text',
  created_at: 'bigint',
};

const LEDGER: Columns<LedgerTable> = {
  id: 'text',
  account_id: 'text',
  type: 'text',
  amount_units: 'bigint',
  request_id: 'text',
  note: 'text',
  created_at: 'bigint',
};

const REQUEST: Columns<RequestsTable> = {
  id: 'text',
  request_id: 'text',
  account_id: 'text',
  key_id: 'text',
  endpoint: 'text',
  requested_model: 'text',
  model: 'text',
  provider: 'text',
  status: 'bigint',
  outcome: 'text',
  input_tokens: 'bigint',
  output_tokens: 'bigint',
  cache_read_tokens: 'bigint',
  cache_write_tokens: 'bigint',
  cache_write_1h_tokens: 'bigint',
  image_input_tokens: 'bigint',
  cached_image_input_tokens: 'bigint',
  image_output_tokens: 'bigint',
  images: 'bigint',
  cost_units: 'bigint',
  uncollected_units: 'bigint',
  estimated: 'bigint',
  attempts: 'text',
  duration_ms: 'bigint',
  first_byte_ms: 'bigint',
  user: 'text',
  metadata: 'text',
  created_at: 'bigint',
};

/** Writes what is set aside. */
export const INSERT_HOLDS = new RowStatement<Selectable<HoldsTable>>(HOLD, into('holds', HOLD));
/** Writes what an account was granted or charged. */
export const INSERT_LEDGER = new RowStatement<Insertable<LedgerTable>>(
  LEDGER,
  into('ledger', LEDGER),
);
/** Rows that are there already stay as they are. */
export const INSERT_REQUESTS = new RowStatement<
  Insertable<RequestsTable> & { readonly uncollected_units: Units }
>(REQUEST, (source) => `${into('requests', REQUEST)(source)} on conflict do nothing`);

/** Gives the holds that were still there. */
export const DELETE_HOLDS = new RowStatement<{ id: string }, HeldAmount>(
  { id: 'text' },
  ({ oneOf }) => `delete from holds where id ${oneOf} returning id, amount_units`,
);

/** What was held, and for what. */
export type HeldAmount = Pick<HoldsTable, 'id' | 'amount_units'>;

function into(table: string, columns: object): (source: RowSource) => string {
  const names = Object.keys(columns).map((name) => `"${name}"`);
  return ({ rows }) => `insert into ${table} (${names.join(', ')}) ${rows}`;
}
