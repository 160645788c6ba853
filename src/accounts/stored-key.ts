import { type Insertable, type Kysely } from 'kysely';
import { randomBytes } from 'node:crypto';
import { type Caller, type Scope, type SpendLimit } from '../contract/caller.js';
import { type ApiKeysTable, type Tables } from '../database/tables.js';

/** A key as it was read from the database a moment ago. */
export interface StoredKey {
  readonly hash: string;
  readonly caller: Caller;
  /** Unix milliseconds. */
  readonly expiresAt: number | null;
  /** Neither the key nor its account has been switched off. */
  readonly enabled: boolean;
}

/** What a key to be made may do; what is left out it has from its account. */
export interface NewKey {
  readonly accountId: string;
  readonly name: string;
  readonly type: Caller['keyType'];
  readonly scopes: readonly Scope[];
  readonly models?: readonly string[];
  readonly rateLimit?: string;
  /** Unix milliseconds. */
  readonly expiresAt?: number;
  readonly tokensPerMinute?: number;
  readonly maxConcurrent?: number;
  readonly spendLimit?: SpendLimit;
  /** As `Caller.budgetId`, where that is another key. */
  readonly budgetId?: string;
}

/** The key with this hash, and what its account says; undefined when there is none. */
export async function findKey(
  database: Kysely<Tables>,
  hash: string,
): Promise<StoredKey | undefined> {
  const row = await database
    .selectFrom('api_keys as key')
    .innerJoin('accounts as account', 'account.id', 'key.account_id')
    .select(['key.id', 'key.account_id', 'key.hash', 'key.type', 'key.scopes', 'key.expires_at'])
    .select(['key.disabled', 'key.revoked_at', 'key.models', 'key.rate_limit'])
    .select(['key.tokens_per_minute', 'key.max_concurrent'])
    .select(['key.spend_limit_units', 'key.spend_limit_per', 'key.budget_id'])
    .select(['account.disabled as account_disabled', 'account.region', 'account.limited'])
    .select('account.max_concurrent as account_max_concurrent')
    .select(['account.models as account_models', 'account.rate_limit as account_rate_limit'])
    .where('key.hash', '=', hash)
    .executeTakeFirst();
  if (!row) return undefined;
  return {
    hash: row.hash,
    expiresAt: row.expires_at,
    enabled: row.disabled === 0 && row.revoked_at === null && row.account_disabled === 0,
    caller: Object.freeze({
      accountId: row.account_id,
      keyId: row.id,
      keyType: row.type,
      scopes: JSON.parse(row.scopes) as Scope[],
      region: row.region,
      accountModels: patterns(row.account_models),
      keyModels: patterns(row.models),
      accountRateLimit: row.account_rate_limit,
      keyRateLimit: row.rate_limit,
      limited: row.limited === 1,
      spendLimit: spendLimitOf(row.spend_limit_units, row.spend_limit_per),
      budgetId: row.budget_id ?? row.id,
      keyTokensPerMinute: row.tokens_per_minute,
      accountMaxConcurrent: row.account_max_concurrent,
      keyMaxConcurrent: row.max_concurrent,
    }),
  };
}

/** The row of a new key. */
export function keyRow(
  key: NewKey,
  kept: Pick<ApiKeysTable, 'hash' | 'prefix'>,
): Insertable<ApiKeysTable> {
  return {
    ...kept,
    id: `key_${randomBytes(12).toString('hex')}`,
    account_id: key.accountId,
    name: key.name,
    type: key.type,
    scopes: JSON.stringify(key.scopes),
    models: key.models ? JSON.stringify(key.models) : null,
    rate_limit: key.rateLimit ?? null,
    expires_at: key.expiresAt ?? null,
    tokens_per_minute: key.tokensPerMinute ?? null,
    max_concurrent: key.maxConcurrent ?? null,
    spend_limit_units: key.spendLimit?.amount ?? null,
    spend_limit_per: key.spendLimit?.per ?? null,
    budget_id: key.budgetId ?? null,
    disabled: false,
    revoked_at: null,
    created_at: Date.now(),
  };
}

function patterns(json: string | null): readonly string[] | null {
  return json === null ? null : (JSON.parse(json) as string[]);
}

function spendLimitOf(amount: bigint | null, per: SpendLimit['per'] | null): SpendLimit | null {
  return amount === null || per === null ? null : { amount, per };
}
