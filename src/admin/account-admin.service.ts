import { Injectable } from '@nestjs/common';
import { type Kysely, type Selectable, type Updateable } from 'kysely';
import { randomBytes } from 'node:crypto';
import { ApiKeys } from '../accounts/api-keys.service.js';
import { creditsOf } from '../billing/credits.js';
import { Ledger } from '../billing/ledger.service.js';
import { Database } from '../database/database.service.js';
import { type AccountsTable, type Tables } from '../database/tables.js';
import { isoOf } from '../http/moment.js';
import { type Page } from '../http/page.js';
import { type PageQuery } from '../http/query.js';
import { type Account, type ChangeAccountBody, type CreateAccountBody } from './dto/account.dto.js';
import { newestFirst } from './newest-first.js';
import {
  type Changes,
  checkedRateLimit,
  checkedRegion,
  exactUnits,
  isId,
  missing,
} from './settings.js';

/** Makes, shows and changes accounts. */
@Injectable()
export class AccountAdmin {
  constructor(
    private readonly database: Database,
    private readonly apiKeys: ApiKeys,
    private readonly ledger: Ledger,
  ) {}

  /** @throws GatewayError 400 for a setting that makes no sense. */
  async create({ credits, ...settings }: CreateAccountBody): Promise<Account> {
    const id = `acc_${randomBytes(12).toString('hex')}`;
    const columns = columnsOf(settings);
    const initial = credits === undefined ? null : exactUnits(credits, 'credits');
    await this.database.write(async (transaction) => {
      await transaction
        .insertInto('accounts')
        .values({ ...columns, id, name: settings.name, disabled: false, created_at: Date.now() })
        .execute();
      await this.ledger.setLimited(transaction, id, initial);
    });
    return accountOf(await this.find(id));
  }

  /** The accounts, newest first. */
  list(page: PageQuery): Promise<Page<Account>> {
    const all = (kysely: Kysely<Tables>) => kysely.selectFrom('accounts').selectAll();
    return newestFirst(this.database, page, all, accountOf);
  }

  /** @throws GatewayError 404 for an unknown account. */
  async get(id: string): Promise<Account> {
    return accountOf(await this.find(id));
  }

  /** @throws GatewayError 400 for a setting that makes no sense, 404 for an unknown account. */
  async change(id: string, changes: Changes<ChangeAccountBody>): Promise<Account> {
    await this.find(id);
    const { credits, ...settings } = changes;
    const columns = columnsOf(settings);
    const balance = typeof credits === 'number' ? exactUnits(credits, 'credits') : null;
    await this.database.write(async (transaction) => {
      if (Object.keys(columns).length > 0) {
        await transaction.updateTable('accounts').set(columns).where('id', '=', id).execute();
      }
      if (credits !== undefined) await this.ledger.setLimited(transaction, id, balance);
    });
    this.apiKeys.forget();
    return this.get(id);
  }

  /** The account's row. @throws GatewayError 404 for an unknown account. */
  async find(id: string): Promise<Selectable<AccountsTable>> {
    const row = isId(id)
      ? await this.database.read((kysely) =>
          kysely.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst(),
        )
      : undefined;
    if (row) return row;
    throw missing('account', id);
  }
}

/** The columns of the settings that are named; null takes one away, but no name and no mark. */
function columnsOf({
  name,
  region,
  models,
  rate_limit,
  max_concurrent,
  disabled,
}: Changes<ChangeAccountBody>): Updateable<AccountsTable> {
  return {
    ...(name != null && { name }),
    ...(region !== undefined && { region: region && checkedRegion(region) }),
    ...(models !== undefined && { models: models && JSON.stringify(models) }),
    ...(rate_limit !== undefined && { rate_limit: rate_limit && checkedRateLimit(rate_limit) }),
    ...(max_concurrent !== undefined && { max_concurrent }),
    ...(disabled != null && { disabled }),
  };
}

function accountOf(row: Selectable<AccountsTable>): Account {
  return {
    id: row.id,
    name: row.name,
    credits: creditsOf(row),
    region: row.region,
    models: row.models === null ? null : (JSON.parse(row.models) as string[]),
    rate_limit: row.rate_limit,
    ...(row.max_concurrent !== null && { max_concurrent: row.max_concurrent }),
    created_at: isoOf(row.created_at),
    disabled: row.disabled === 1,
  };
}
