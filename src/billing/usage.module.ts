import { Module } from '@nestjs/common';
import { LimitsModule } from '../accounts/limits.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { HolderController } from './holder.controller.js';
import { Holders } from './holder.service.js';
import { RequestLogs } from './request-log.service.js';
import { TriesReports } from './tries-report.service.js';
import { UsageReports } from './usage-report.service.js';
import { UsageRetention } from './usage-retention.service.js';

/** What was used: reports, the request log, and the end of old records. */
@Module({
  imports: [DatabaseModule, LimitsModule],
  controllers: [HolderController],
  providers: [Holders, RequestLogs, TriesReports, UsageReports, UsageRetention],
  exports: [RequestLogs, TriesReports, UsageReports],
})
export class UsageModule {}
