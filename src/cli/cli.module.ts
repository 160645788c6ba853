import { type DynamicModule, Module } from '@nestjs/common';
import { ApiKeys } from '../accounts/api-keys.service.js';
import { AccountAdmin } from '../admin/account-admin.service.js';
import { CreditAdmin } from '../admin/credit-admin.service.js';
import { KeyAdmin } from '../admin/key-admin.service.js';
import { ReportAdmin } from '../admin/report-admin.service.js';
import { Ledger } from '../billing/ledger.service.js';
import { RequestLogs } from '../billing/request-log.service.js';
import { UsageReports } from '../billing/usage-report.service.js';
import { ConfigModule } from '../config/config.module.js';
import { type Config } from '../config/config.js';
import { DatabaseModule } from '../database/database.module.js';

/**
 * What the commands need of the gateway. The features' own modules would bring along what only a
 * gateway may do: make the first keys, which would be shown to nobody, and take part in reconciling.
 */
@Module({})
export class CliModule {
  static with(config: Config): DynamicModule {
    return {
      module: CliModule,
      imports: [ConfigModule.with(config), DatabaseModule],
      providers: [
        ApiKeys,
        Ledger,
        AccountAdmin,
        KeyAdmin,
        CreditAdmin,
        RequestLogs,
        UsageReports,
        ReportAdmin,
      ],
    };
  }
}
