import { Module } from '@nestjs/common';
import { BillingModule } from '../billing/billing.module.js';
import { UpstreamModule } from '../upstream/upstream.module.js';
import { Dispatcher } from './dispatcher.js';
import { Exchange } from './exchange.js';
import { Settlement } from './settlement.js';

@Module({
  imports: [BillingModule, UpstreamModule],
  providers: [Dispatcher, Exchange, Settlement],
  exports: [Dispatcher],
})
export class DispatchModule {}
