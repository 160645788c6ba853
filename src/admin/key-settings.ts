import { type Selectable, type Updateable } from 'kysely';
import { type NewKey } from '../accounts/stored-key.js';
import { parseRateLimit } from '../config/read-config.js';
import { usdNumber } from '../contract/money.js';
import { type AccountsTable, type ApiKeysTable } from '../database/tables.js';
import { isoOf } from '../http/moment.js';
import { mayUse } from '../models/model-access.js';
import { invalidValue } from '../http/parameter-error.js';
import { type ChangeKeyBody, type CreateKeyBody, type Key, type KeyObject } from './dto/key.dto.js';
import { type Changes, checkedExpiry, checkedRateLimit, exactUnits } from './settings.js';

/** The key that a body describes. @throws GatewayError 400 for a setting that makes no sense. */
export function newKeyOf(
  accountId: string,
  body: Changes<CreateKeyBody> & Pick<CreateKeyBody, 'name' | 'type' | 'scopes'>,
): NewKey {
  const { name, type, scopes } = body;
  return {
    accountId,
    name,
    type,
    scopes,
    ...(body.models && { models: body.models }),
    ...(body.rate_limit != null && { rateLimit: checkedRateLimit(body.rate_limit) }),
    ...(body.expires_at != null && { expiresAt: checkedExpiry(body.expires_at) }),
    ...(body.tokens_per_minute != null && { tokensPerMinute: body.tokens_per_minute }),
    ...(body.max_concurrent != null && { maxConcurrent: body.max_concurrent }),
    ...(body.spend_limit && {
      spendLimit: {
        amount: exactUnits(body.spend_limit.amount, 'spend_limit.amount'),
        per: body.spend_limit.per,
      },
    }),
  };
}

/** The columns of what is changed. @throws GatewayError 400 for a setting that makes no sense. */
export function keyColumns({
  name,
  models,
  rate_limit,
  expires_at,
  tokens_per_minute,
  max_concurrent,
  spend_limit,
  disabled,
}: Changes<ChangeKeyBody>): Updateable<ApiKeysTable> {
  return {
    ...(name != null && { name }),
    ...(models !== undefined && { models: models && JSON.stringify(models) }),
    ...(rate_limit !== undefined && { rate_limit: rate_limit && checkedRateLimit(rate_limit) }),
    ...(expires_at !== undefined && {
      expires_at: expires_at === null ? null : checkedExpiry(expires_at),
    }),
    ...(tokens_per_minute !== undefined && { tokens_per_minute }),
    ...(max_concurrent !== undefined && { max_concurrent }),
    ...(spend_limit !== undefined && {
      spend_limit_units: spend_limit && exactUnits(spend_limit.amount, 'spend_limit.amount'),
      spend_limit_per: spend_limit && spend_limit.per,
    }),
    ...(disabled != null && { disabled }),
  };
}

/** @throws GatewayError 400 for a key that would be allowed more than its account is. */
export function refuseWiderKey(
  { models, rate_limit: rate, max_concurrent: concurrent }: Changes<ChangeKeyBody>,
  account: Selectable<AccountsTable>,
): void {
  const allowed = account.models === null ? null : (JSON.parse(account.models) as string[]);
  // A pattern that another one covers as a text is covered in all that it stands for.
  const beyond = models?.find((pattern) => !mayUse(allowed, pattern));
  if (beyond !== undefined) throw invalidValue('models', `its account may not use '${beyond}'`);
  const wanted = parseRateLimit(rate ?? '');
  const most = parseRateLimit(account.rate_limit ?? '');
  if (wanted && most && wanted.limit * most.windowMs > most.limit * wanted.windowMs) {
    throw invalidValue('rate_limit', `its account has ${account.rate_limit ?? ''}`);
  }
  const { max_concurrent: mostConcurrent } = account;
  if (concurrent != null && mostConcurrent !== null && concurrent > mostConcurrent) {
    throw invalidValue('max_concurrent', `its account has ${mostConcurrent}`);
  }
}

/** A key, as the management API shows it. */
export function keyOf(row: Selectable<ApiKeysTable>): KeyObject {
  const { spend_limit_units: amount, spend_limit_per: per } = row;
  return {
    id: row.id,
    prefix: row.prefix,
    name: row.name,
    type: row.type,
    scopes: JSON.parse(row.scopes) as Key['scopes'],
    models: row.models === null ? null : (JSON.parse(row.models) as string[]),
    rate_limit: row.rate_limit,
    tokens_per_minute: row.tokens_per_minute,
    max_concurrent: row.max_concurrent,
    spend_limit: amount === null || per === null ? null : { amount: usdNumber(amount), per },
    expires_at: row.expires_at === null ? null : isoOf(row.expires_at),
    created_at: isoOf(row.created_at),
    disabled: row.disabled === 1,
  };
}
