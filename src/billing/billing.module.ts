import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { Allowance } from './allowance.service.js';
import { Books } from './books.service.js';
import { Charges } from './charges.service.js';
import { Holds } from './holds.service.js';
import { Ledger } from './ledger.service.js';
import { Outbox } from './outbox.service.js';
import { Processes } from './processes.service.js';
import { Reconciler } from './reconciler.service.js';

/** Holds, charges, the ledger and the rows of calls. */
@Module({
  imports: [DatabaseModule],
  providers: [Allowance, Books, Charges, Holds, Ledger, Outbox, Processes, Reconciler],
  exports: [Allowance, Charges, Holds, Ledger, Outbox],
})
export class BillingModule {}
