import { Module } from '@nestjs/common';
import { LimitsModule } from '../accounts/limits.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { TelemetryModule } from '../telemetry/telemetry.module.js';
import { UpstreamModule } from '../upstream/upstream.module.js';
import { Attempts } from './attempts.js';
import { Dispatcher } from './dispatcher.js';
import { Drains } from './drains.js';
import { Exchange } from './exchange.js';
import { Settlement } from './settlement.js';
import { Tries } from './tries.js';

/** Carries calls to models, paid for. */
@Module({
  imports: [BillingModule, LimitsModule, TelemetryModule, UpstreamModule],
  providers: [Attempts, Dispatcher, Drains, Exchange, Settlement, Tries],
  exports: [Dispatcher],
})
export class DispatchModule {}
