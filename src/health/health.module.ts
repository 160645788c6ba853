import { Module } from '@nestjs/common';
import { BillingModule } from '../billing/billing.module.js';
import { ClusterModule } from '../cluster/cluster.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { ModelsModule } from '../models/models.module.js';
import { RedisModule } from '../redis/redis.module.js';
import { TelemetryModule } from '../telemetry/telemetry.module.js';
import { UpstreamModule } from '../upstream/upstream.module.js';
import { Exposition } from './exposition.service.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';
import { Lifecycle } from './lifecycle.js';
import { Measurements } from './measurements.service.js';
import { MetricsController } from './metrics.controller.js';
import { UpstreamMeasurements } from './upstream-measurements.service.js';

/** Liveness, readiness, metrics and the end of a process. */
@Module({
  imports: [
    BillingModule,
    ClusterModule,
    DatabaseModule,
    ModelsModule,
    RedisModule,
    TelemetryModule,
    UpstreamModule,
  ],
  controllers: [HealthController, MetricsController],
  providers: [Exposition, HealthService, Lifecycle, Measurements, UpstreamMeasurements],
  exports: [Lifecycle],
})
export class HealthModule {}
