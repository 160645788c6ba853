import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { UsageModule } from '../billing/usage.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { ModelsModule } from '../models/models.module.js';
import { UpstreamModule } from '../upstream/upstream.module.js';
import { AccountAdmin } from './account-admin.service.js';
import { AccountsController } from './accounts.controller.js';
import { CreditAdmin } from './credit-admin.service.js';
import { KeyAdmin } from './key-admin.service.js';
import { KeysController } from './keys.controller.js';
import { ProviderAdmin } from './provider-admin.service.js';
import { ProvidersController } from './providers.controller.js';
import { ReportAdmin } from './report-admin.service.js';
import { ReportsController } from './reports.controller.js';

/** The management API. */
@Module({
  imports: [
    AccountsModule,
    BillingModule,
    DatabaseModule,
    ModelsModule,
    UpstreamModule,
    UsageModule,
  ],
  controllers: [AccountsController, KeysController, ReportsController, ProvidersController],
  providers: [AccountAdmin, CreditAdmin, KeyAdmin, ProviderAdmin, ReportAdmin],
})
export class AdminModule {}
