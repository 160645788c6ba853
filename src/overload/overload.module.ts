import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TelemetryModule } from '../telemetry/telemetry.module.js';
import { AdmissionGuard } from './admission.guard.js';
import { ConnectionBudget } from './connection-budget.service.js';
import { Load } from './load.service.js';
import { MemoryBudget } from './memory-budget.service.js';
import { RefusalLog } from './refusal-log.js';
import { RefusedKeys } from './refused-keys.js';
import { RoundRobin } from './round-robin.js';

/** Keeps the process within its memory and its time. Its guard runs after those of `accounts/`. */
@Module({
  imports: [TelemetryModule],
  providers: [
    ConnectionBudget,
    Load,
    MemoryBudget,
    RefusalLog,
    RefusedKeys,
    RoundRobin,
    { provide: APP_GUARD, useClass: AdmissionGuard },
  ],
  exports: [RefusedKeys],
})
export class OverloadModule {}
