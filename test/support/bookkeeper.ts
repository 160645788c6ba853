import { Books } from '../../src/billing/books.service.js';
import { Charges } from '../../src/billing/charges.service.js';
import { Holds } from '../../src/billing/holds.service.js';
import { Ledger } from '../../src/billing/ledger.service.js';
import { Outbox } from '../../src/billing/outbox.service.js';
import { Processes } from '../../src/billing/processes.service.js';
import { Reconciler } from '../../src/billing/reconciler.service.js';
import { type CallFacts } from '../../src/billing/request-row.js';
import { readConfig } from '../../src/config/read-config.js';
import { type Caller, type SpendLimit } from '../../src/contract/caller.js';
import { Database } from '../../src/database/database.service.js';
import { type DatabaseSettings } from './databases.js';
import { usageRecord } from './usage-record.js';

/** A gateway process as far as money is concerned; it neither beats nor reconciles by itself. */
export interface Bookkeeper {
  readonly database: Database;
  readonly processes: Processes;
  readonly books: Books;
  readonly outbox: Outbox;
  readonly holds: Holds;
  readonly charges: Charges;
  readonly ledger: Ledger;
  readonly reconciler: Reconciler;
}

/** The parts of a process; its database has not been opened yet. */
export function makeBookkeeper(
  settings: DatabaseSettings & { readonly RECONCILE_AFTER_S?: string },
): Bookkeeper {
  const config = readConfig({ ...settings });
  const database = new Database(config);
  const processes = new Processes(database, config);
  const books = new Books(database);
  const outbox = new Outbox(config, processes, database);
  return {
    ...{ database, processes, books, outbox },
    holds: new Holds(books, processes, outbox),
    charges: new Charges(books, outbox),
    ledger: new Ledger(database),
    reconciler: new Reconciler(database, books, processes, outbox),
  };
}

/** Somebody with a key of an account. */
export function callerOf(
  accountId: string,
  {
    limited = true,
    spendLimit = null,
    keyId = `key_${accountId}`,
    budgetId = keyId,
  }: {
    limited?: boolean;
    spendLimit?: SpendLimit | null;
    keyId?: string;
    budgetId?: string;
  } = {},
): Caller {
  return {
    ...{ accountId, keyId, keyType: 'live', scopes: ['inference'], limited, spendLimit },
    budgetId,
    ...{ region: null, accountModels: null, keyModels: null },
    ...{ accountRateLimit: null, keyRateLimit: null, keyTokensPerMinute: null },
    ...{ accountMaxConcurrent: null, keyMaxConcurrent: null },
  };
}

/** What is known of a call with that request id. */
export function facts(requestId: string): CallFacts {
  const { endpoint, requestedModel, model, provider, createdAt } = usageRecord();
  const call = { endpoint, requestedModel, model, provider, createdAt };
  return { ...call, requestId, user: null, metadata: null };
}
