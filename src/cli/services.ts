import { NestFactory } from '@nestjs/core';
import { AccountAdmin } from '../admin/account-admin.service.js';
import { CreditAdmin } from '../admin/credit-admin.service.js';
import { KeyAdmin } from '../admin/key-admin.service.js';
import { ReportAdmin } from '../admin/report-admin.service.js';
import { Ledger } from '../billing/ledger.service.js';
import { type Config } from '../config/config.js';
import { Database } from '../database/database.service.js';
import { CliModule } from './cli.module.js';
import { type Surroundings } from './command.js';
import { bringUpToDate, isNewFile } from './schema.js';

/** The services behind the management API, on the gateway's own database. */
export interface Services {
  readonly accounts: AccountAdmin;
  readonly keys: KeyAdmin;
  readonly credits: CreditAdmin;
  readonly ledger: Ledger;
  readonly reports: ReportAdmin;
  readonly database: Database;
}

/**
 * Opens the services.
 *
 * @throws Impossible for a database that cannot be opened.
 */
export async function openServices(
  config: Config,
  stderr: Surroundings['stderr'],
): Promise<{ services: Services; close: () => Promise<void> }> {
  const isNew = isNewFile(config);
  // The gateway would wait for a database that is away; who types wants to know why it is.
  await bringUpToDate(config);
  if (isNew) stderr.write(`causeway: there was no database in ${config.dataDir}, so one is made\n`);
  const context = await NestFactory.createApplicationContext(CliModule.with(config), {
    logger: false,
    abortOnError: false,
  });
  const services = {
    accounts: context.get(AccountAdmin),
    keys: context.get(KeyAdmin),
    credits: context.get(CreditAdmin),
    ledger: context.get(Ledger),
    reports: context.get(ReportAdmin),
    database: context.get(Database, { strict: false }),
  };
  return { services, close: () => context.close() };
}
