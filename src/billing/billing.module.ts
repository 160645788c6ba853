import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { UsageRecorder } from './usage-recorder.service.js';

@Module({
  imports: [DatabaseModule],
  providers: [UsageRecorder],
  exports: [UsageRecorder],
})
export class BillingModule {}
