import { type ColumnType, type Generated } from 'kysely';

/** The tables, as queries see them on both engines; `column-values.ts` makes them alike. */
export interface Tables {
  readonly meta: MetaTable;
  readonly accounts: AccountsTable;
  readonly api_keys: ApiKeysTable;
  readonly requests: RequestsTable;
  readonly holds: HoldsTable;
  readonly key_spend: KeySpendTable;
  readonly ledger: LedgerTable;
  readonly idempotency_keys: IdempotencyKeysTable;
  readonly processes: ProcessesTable;
  readonly model_overrides: ModelOverridesTable;
  readonly provider_credentials: ProviderCredentialsTable;
  readonly uploads: UploadsTable;
  readonly routed_tasks: RoutedTasksTable;
  readonly feedback: FeedbackTable;
  readonly opinions: OpinionsTable;
}

/** Bound as a boolean, read as 0 or 1. */
type Flag = ColumnType<number, boolean, boolean>;

/** Settings of the whole installation, such as the pepper, by name. */
export interface MetaTable {
  readonly name: string;
  readonly value: string;
}

/** Accounts with what they may use and, where they are limited, their credits. */
export interface AccountsTable {
  readonly id: string;
  readonly name: string;
  readonly region: string | null;
  /** JSON array of patterns; null allows every model. */
  readonly models: string | null;
  readonly rate_limit: string | null;
  readonly disabled: Flag;
  /** Whether the account has credits; without the mark it spends freely. */
  readonly limited: ColumnType<number, boolean | undefined, boolean>;
  /** What may still be held. Granted = balance + held + spent, at every commit. */
  readonly balance_units: Generated<bigint>;
  readonly held_units: Generated<bigint>;
  readonly spent_units: Generated<bigint>;
  readonly max_concurrent: number | null;
  /** Unix milliseconds, like every `_at` column. */
  readonly created_at: number;
}

/** Keys, by the hash of their text. */
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
  readonly tokens_per_minute: number | null;
  readonly max_concurrent: number | null;
  readonly spend_limit_units: bigint | null;
  readonly spend_limit_per: 'day' | 'week' | 'month' | 'total' | null;
  /** The key under whose id its spending counts; null for its own. */
  readonly budget_id: string | null;
  readonly disabled: Flag;
  readonly revoked_at: number | null;
  readonly created_at: number;
}

/** The usage records: one row for each call. */
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
  /** What the account could not pay, because the provider reported more than was held. */
  readonly uncollected_units: Generated<bigint>;
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

/** Money set aside for a call that is running. */
export interface HoldsTable {
  readonly id: string;
  readonly account_id: string;
  readonly key_id: string;
  readonly request_id: string;
  readonly process_id: string;
  readonly amount_units: bigint;
  /** The window of the key's spend limit that it counts in; null for a key without one. */
  readonly spend_window: string | null;
  /** What the row of the call will say, should its process not live to write it. */
  readonly endpoint: string;
  readonly requested_model: string;
  readonly model: string | null;
  readonly provider: string | null;
  readonly user: string | null;
  /** JSON object. */
  readonly metadata: string | null;
  /** When the call began. */
  readonly created_at: number;
}

/**
 * What a key with a spend limit, and those that it was rotated to, have spent in a window such as
 * `day:2026-11-20`.
 */
export interface KeySpendTable {
  readonly key_id: string;
  readonly spend_window: string;
  readonly held_units: bigint;
  readonly spent_units: bigint;
}

/** Every change of an account's credit; only ever added to. */
export interface LedgerTable {
  /** Rises with time. */
  readonly id: string;
  readonly account_id: string;
  readonly type: 'grant' | 'charge' | 'reconciled' | 'refund';
  readonly amount_units: bigint;
  readonly request_id: string | null;
  readonly note: string | null;
  readonly created_at: number;
}

/** Which ledger entry a grant with an idempotency key has made. */
export interface IdempotencyKeysTable {
  readonly account_id: string;
  readonly key: string;
  readonly body_hash: string;
  readonly ledger_id: string;
  readonly created_at: number;
}

/** A running gateway process; its beat rises every five seconds. */
export interface ProcessesTable {
  readonly id: string;
  readonly beat: number;
  readonly started_at: number;
}

/** What an administrator changed of a model, as JSON. */
export interface ModelOverridesTable {
  readonly id: string;
  readonly settings: string;
  readonly updated_at: number;
}

/** A provider's key, encrypted. */
export interface ProviderCredentialsTable {
  readonly name: string;
  readonly ciphertext: string;
  readonly updated_at: number;
}

/** A file that an account has uploaded. Whatever is in the store of files has a row. */
export interface UploadsTable {
  readonly id: string;
  readonly account_id: string;
  /** Seen by its account while `stored`: before, the file is on its way into the store; after, out. */
  readonly state: 'pending' | 'stored' | 'deleted';
  /** The process that stores it. */
  readonly owner: string;
  readonly file_name: string;
  /** In bytes. */
  readonly file_size: number;
  readonly media_type: string;
  readonly purpose: string;
  /** JSON object. */
  readonly metadata: string;
  readonly created_at: number;
  readonly expires_at: number;
}

/** What kind of task a routed request was. */
export interface RoutedTasksTable {
  readonly account_id: string;
  readonly request_id: string;
  readonly task: string;
  readonly created_at: number;
}

/** What a caller said last of the answer to a request. */
export interface FeedbackTable {
  readonly account_id: string;
  readonly request_id: string;
  readonly model: string;
  /** Empty for a request that was not routed. */
  readonly task: string;
  /** The score in millionths; -1 while it is being written. */
  readonly millionths: number;
  readonly note: string | null;
  readonly created_at: number;
}

/** How many scores an account has given a model for a kind of task, and their sum. */
export interface OpinionsTable {
  readonly account_id: string;
  readonly model: string;
  readonly task: string;
  readonly count: number;
  readonly millionths: number;
}
