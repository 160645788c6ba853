import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { callerLimits, callLimits, type Standing } from '../accounts/limit.js';
import { Limits } from '../accounts/limits.service.js';
import { type Caller } from '../contract/caller.js';
import { usdNumber } from '../contract/money.js';
import { Database } from '../database/database.service.js';
import { isoOf } from '../http/moment.js';
import { creditsOf } from './credits.js';
import { type Holder, type HolderLimit } from './dto/holder.dto.js';
import { spendWindow } from './spend-window.js';

/** Tells who holds a key, and what is left of its limits. */
@Injectable()
export class Holders {
  constructor(
    private readonly database: Database,
    private readonly limits: Limits,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async describe(caller: Caller): Promise<Holder> {
    const [row, standings] = await Promise.all([
      this.read(caller),
      this.limits.look([...callerLimits(caller, this.config.rateLimit), ...callLimits(caller)]),
    ]);
    return {
      account: {
        id: caller.accountId,
        name: row.account_name,
        region: caller.region,
        models: caller.accountModels,
      },
      credits: creditsOf(row),
      key: {
        id: caller.keyId,
        name: row.key_name,
        type: caller.keyType,
        scopes: caller.scopes,
        models: caller.keyModels,
        expires_at: row.expires_at === null ? null : isoOf(row.expires_at),
      },
      limits: [...standings.map((standing) => limitOf(caller, standing)), ...spendOf(caller, row)],
    };
  }

  private read({ keyId, budgetId, spendLimit }: Caller) {
    const window = spendLimit ? spendWindow(spendLimit.per, Date.now()) : '';
    return this.database.read((kysely) =>
      kysely
        .selectFrom('api_keys as key')
        .innerJoin('accounts as account', 'account.id', 'key.account_id')
        .leftJoin('key_spend as spend', (join) =>
          join.on('spend.key_id', '=', budgetId).on('spend.spend_window', '=', window),
        )
        .select(['key.name as key_name', 'key.expires_at', 'account.name as account_name'])
        .select(['account.limited', 'account.balance_units'])
        .select(['account.held_units', 'account.spent_units'])
        .select(['spend.held_units as window_held_units'])
        .select(['spend.spent_units as window_spent_units'])
        .where('key.id', '=', keyId)
        .executeTakeFirstOrThrow(),
    );
  }
}

const WINDOW_NAMES: Readonly<Record<number, string>> = {
  1_000: 'second',
  60_000: 'minute',
  3_600_000: 'hour',
};

function limitOf(
  { keyId }: Caller,
  { counts, name, limit, windowMs, used }: Standing,
): HolderLimit {
  return {
    of: name.includes(keyId) ? 'key' : 'account',
    counts,
    limit,
    window: counts === 'calls' ? null : (WINDOW_NAMES[windowMs] ?? null),
    remaining: Math.max(0, limit - used),
  };
}

function spendOf(
  { spendLimit }: Caller,
  row: { window_held_units: bigint | null; window_spent_units: bigint | null },
): readonly HolderLimit[] {
  if (!spendLimit) return [];
  const { amount, per } = spendLimit;
  const left = amount - (row.window_held_units ?? 0n) - (row.window_spent_units ?? 0n);
  const remaining = usdNumber(left > 0n ? left : 0n);
  return [{ of: 'key', counts: 'spend', limit: usdNumber(amount), window: per, remaining }];
}
