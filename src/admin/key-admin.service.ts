import { Injectable } from '@nestjs/common';
import { type Kysely, type Selectable } from 'kysely';
import { ApiKeys } from '../accounts/api-keys.service.js';
import { Database } from '../database/database.service.js';
import { type ApiKeysTable, type Tables } from '../database/tables.js';
import { type Page } from '../http/page.js';
import { type PageQuery } from '../http/query.js';
import { invalidValue } from '../http/parameter-error.js';
import { AccountAdmin } from './account-admin.service.js';
import {
  type ChangeKeyBody,
  type CreateKeyBody,
  type Key,
  type NewKey,
  type RotateKeyBody,
} from './dto/key.dto.js';
import { keyColumns, keyOf, newKeyOf, refuseWiderKey } from './key-settings.js';
import { countSpent, type SpentBefore, spentBefore } from './key-spending.js';
import { newestFirst } from './newest-first.js';
import { type Changes, isId, missing } from './settings.js';

type Row = Selectable<ApiKeysTable>;

/** Makes, shows, changes, rotates and revokes keys. A revoked key is as one that never was. */
@Injectable()
export class KeyAdmin {
  constructor(
    private readonly database: Database,
    private readonly apiKeys: ApiKeys,
    private readonly accounts: AccountAdmin,
  ) {}

  /** @throws GatewayError 400 for a setting that makes no sense, 404 for an unknown account. */
  async create(accountId: string, body: CreateKeyBody): Promise<NewKey> {
    const account = await this.accounts.find(accountId);
    refuseWiderKey(body, account);
    const key = newKeyOf(accountId, body);
    const { id, text } = await this.database.write((transaction) =>
      this.apiKeys.issue(transaction, key),
    );
    return { ...keyOf(await this.find(id)), key: text };
  }

  /** The keys of an account, newest first. @throws GatewayError 404 for an unknown account. */
  async list(accountId: string, page: PageQuery): Promise<Page<Key>> {
    await this.accounts.find(accountId);
    const all = (kysely: Kysely<Tables>) =>
      kysely
        .selectFrom('api_keys')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('revoked_at', 'is', null);
    return newestFirst(this.database, page, all, keyOf);
  }

  /**
   * A spend limit counts what was spent of its day, week or month before, too.
   *
   * @throws GatewayError 400 for a setting that makes no sense, 404 for an unknown key.
   */
  async change(id: string, changes: Changes<ChangeKeyBody>): Promise<Key> {
    const row = await this.find(id);
    refuseWiderKey(changes, await this.accounts.find(row.account_id));
    const columns = keyColumns(changes);
    const { spend_limit: limit } = changes;
    const spent = limit ? await spentBefore(this.database, row, limit.per) : undefined;
    if (Object.keys(columns).length > 0) await this.update(id, columns, spent);
    return keyOf(await this.find(id));
  }

  /** The key as it was last seen. @throws GatewayError 404 for an unknown key. */
  async revoke(id: string): Promise<Key> {
    const row = await this.find(id);
    await this.update(id, { disabled: true, revoked_at: Date.now() });
    return keyOf({ ...row, disabled: 1 });
  }

  /**
   * A new key like the old one, which ends after the overlap. Both spend from one limit.
   *
   * @throws GatewayError 400 for a key that is refused already, 404 for an unknown key.
   */
  async rotate(id: string, { overlap_seconds: overlap = 3_600 }: RotateKeyBody): Promise<NewKey> {
    const old = await this.find(id);
    const endsAt = Math.min(old.expires_at ?? Infinity, Date.now() + overlap * 1_000);
    if (old.disabled === 1) throw invalidValue('id', 'the key is disabled');
    if (old.expires_at !== null && old.expires_at <= Date.now()) {
      throw invalidValue('id', 'the key has expired');
    }
    const issued = await this.database.write(async (transaction) => {
      const fresh = await this.apiKeys.issue(transaction, {
        ...newKeyOf(old.account_id, keyOf(old)),
        budgetId: old.budget_id ?? id,
      });
      await transaction
        .updateTable('api_keys')
        .set({ expires_at: endsAt })
        .where('id', '=', id)
        .execute();
      return fresh;
    });
    this.apiKeys.forget();
    return { ...keyOf(await this.find(issued.id)), key: issued.text };
  }

  private async update(
    id: string,
    columns: ReturnType<typeof keyColumns>,
    spent?: SpentBefore,
  ): Promise<void> {
    await this.database.write(async (transaction) => {
      await transaction.updateTable('api_keys').set(columns).where('id', '=', id).execute();
      if (spent) await countSpent(transaction, spent);
    });
    this.apiKeys.forget();
  }

  private async find(id: string): Promise<Row> {
    const row = isId(id)
      ? await this.database.read((kysely) =>
          kysely
            .selectFrom('api_keys')
            .selectAll()
            .where('id', '=', id)
            .where('revoked_at', 'is', null)
            .executeTakeFirst(),
        )
      : undefined;
    if (row) return row;
    throw missing('key', id);
  }
}
