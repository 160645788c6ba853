import { Inject, Injectable } from '@nestjs/common';
import { type Transaction } from 'kysely';
import { CONFIG, type Config } from '../config/config.js';
import { type Scope } from '../contract/caller.js';
import { Database } from '../database/database.service.js';
import { type Tables } from '../database/tables.js';
import { ApiKeys } from './api-keys.service.js';

/** The keys that this start has made up, to be shown once; those that were configured are not here. */
export interface NewKeys {
  readonly adminKey?: string;
  readonly apiKey?: string;
}

/** Makes the account `default` and its keys on a new database, and adopts the configured keys. */
@Injectable()
export class FirstStart {
  /** Settled when the database has been opened; empty on every start but the first. */
  readonly newKeys: Promise<NewKeys>;
  /** Resolves before keys that are new are in the database; never on any start but the first. */
  readonly makingKeys: Promise<void>;
  private readonly makes: () => void;

  constructor(
    database: Database,
    private readonly apiKeys: ApiKeys,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.makingKeys = promise;
    this.makes = () => {
      resolve(undefined);
    };
    this.newKeys = database.beforeUse((transaction) => this.makeKeys(transaction));
  }

  private async makeKeys(transaction: Transaction<Tables>): Promise<NewKeys> {
    const { adminKey, apiKey } = this.config;
    // Of several processes that start at once, one makes the account, and with it the keys.
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('accounts')
      .values({ id: ACCOUNT, name: 'default', disabled: false, created_at: Date.now() })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirst();
    const first = numInsertedOrUpdatedRows === 1n;

    if (adminKey !== undefined) await this.apiKeys.adopt(transaction, adminKey, key('admin'));
    if (apiKey !== undefined) await this.apiKeys.adopt(transaction, apiKey, key('inference'));
    if (!first) return {};
    if (adminKey === undefined || apiKey === undefined) this.makes();
    return {
      ...(adminKey === undefined && {
        adminKey: await this.apiKeys.create(transaction, key('admin')),
      }),
      ...(apiKey === undefined && {
        apiKey: await this.apiKeys.create(transaction, key('inference')),
      }),
    };
  }
}

/** Fixed, so that it is the same account in every process, whatever it is renamed to. */
const ACCOUNT = 'acc_default';

function key(scope: Scope) {
  return { accountId: ACCOUNT, name: scope, type: 'live', scopes: [scope] } as const;
}
