import { Module } from '@nestjs/common';
import { LimitsModule } from '../accounts/limits.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { TelemetryModule } from '../telemetry/telemetry.module.js';
import { UpstreamModule } from '../upstream/upstream.module.js';
import { Dispatcher } from './dispatcher.js';
import { Drains } from './drains.js';
import { Exchange } from './exchange.js';
import { Settlement } from './settlement.js';
import { SingleTries } from './single-tries.js';
import { Tries } from './tries.js';

/** Carries calls to models, paid for. */
@Module({
  imports: [BillingModule, LimitsModule, TelemetryModule, UpstreamModule],
  providers: [Dispatcher, Drains, Exchange, Settlement, SingleTries, Tries],
  exports: [Dispatcher],
})
export class DispatchModule {}
