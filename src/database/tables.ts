import { type ColumnType } from 'kysely';

/** The tables, as queries see them on both engines; `column-values.ts` makes them alike. */
export interface Tables {
  readonly meta: MetaTable;
  readonly accounts: AccountsTable;
  readonly api_keys: ApiKeysTable;
  readonly requests: RequestsTable;
}

/** Bound as a boolean, read as 0 or 1. */
type Flag = ColumnType<number, boolean, boolean>;

export interface MetaTable {
  readonly name: string;
  readonly value: string;
}

export interface AccountsTable {
  readonly id: string;
  readonly name: string;
  readonly region: string | null;
  /** JSON array of patterns; null allows every model. */
  readonly models: string | null;
  readonly rate_limit: string | null;
  readonly disabled: Flag;
  /** Unix milliseconds, like every `_at` column. */
  readonly created_at: number;
}

export interface ApiKeysTable {
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  /** HMAC-SHA-256 of the key's text, in hex. */
  readonly hash: string;
  /** The beginning of the key's text, to tell keys apart in a list. */
  readonly prefix: string;
  readonly type: 'live' | 'sandbox';
  /** JSON array. */
  readonly scopes: string;
  /** JSON array of patterns; null allows every model of the account. */
  readonly models: string | null;
  readonly rate_limit: string | null;
  readonly expires_at: number | null;
  readonly disabled: Flag;
  readonly revoked_at: number | null;
  readonly created_at: number;
}

export interface RequestsTable {
  /** Our own id: callers may send one request id twice. */
  readonly id: string;
  readonly request_id: string;
  readonly account_id: string;
  readonly key_id: string;
  readonly endpoint: string;
  readonly requested_model: string;
  readonly model: string | null;
  readonly provider: string | null;
  readonly status: number;
  readonly outcome: string;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_tokens: number;
  readonly cache_write_tokens: number;
  readonly cache_write_1h_tokens: number;
  readonly image_input_tokens: number;
  readonly cached_image_input_tokens: number;
  readonly image_output_tokens: number;
  readonly images: number;
  /** 10^-12 USD, like every `_units` column. */
  readonly cost_units: bigint;
  readonly estimated: Flag;
  /** JSON array of the attempts. */
  readonly attempts: string;
  readonly duration_ms: number;
  readonly first_byte_ms: number | null;
  readonly user: string | null;
  /** JSON object. */
  readonly metadata: string | null;
  readonly created_at: number;
}
